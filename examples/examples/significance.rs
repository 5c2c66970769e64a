//! Is one system really better than another?

use ko_eval::{Corpus, Result, read, significance::PairedTest};

fn main() -> Result<()> {
    let read = |name: &str| -> Result<Corpus> {
        let data = |name: &str| {
            format!("{}/../crates/ko-eval-cli/samples/{name}", env!("CARGO_MANIFEST_DIR"))
        };
        read::parallel_text(data(name), [data("reference.txt")])?.collect()
    };
    let (blunt, good) = (read("blunt.txt")?, read("good.txt")?);
    let test = PairedTest::randomization(10_000, 12345)?;
    for unit in ["word", "jamo"] {
        let chrf = ko_eval::metric("chrf", unit)?;
        let result = chrf.compare(&blunt.segments(), &good.segments(), &test)?;
        println!(
            "{unit}: {:.2} → {:.2}, p = {:.4}",
            result.baseline, result.system, result.p_value
        );
    }
    Ok(())
}
