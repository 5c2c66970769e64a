//! Files in, corpus scores with confidence intervals out.

use ko_eval::{Corpus, Result, read, significance::Bootstrap};

fn main() -> Result<()> {
    let data =
        |name| format!("{}/../crates/ko-eval-cli/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    let references = [data("reference.txt"), data("reference2.txt")];
    for system in ["good.txt", "blunt.txt", "poor.txt"] {
        let corpus: Corpus =
            read::parallel_text(data(system), &references)?.collect::<Result<_>>()?;
        for spec in ["chrf:word-order=2", "ter"] {
            let metric = ko_eval::metric(spec, "word")?;
            let ci = metric.confidence(&corpus.segments(), &Bootstrap::default())?;
            println!("{system:10} {spec:18} {:6.2}  [{:.2}, {:.2}]", ci.score, ci.low, ci.high);
        }
    }
    Ok(())
}
