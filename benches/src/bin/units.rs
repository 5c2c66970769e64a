//! Prints the pairs of the benches, cut into units: `UNIT<tab>HYPOTHESIS<tab>REFERENCE`, units joined by spaces.

use ko_eval_benches::pairs;

fn main() -> ko_eval_core::Result<()> {
    for name in ["word", "char", "jamo"] {
        let unit = ko_tokenize::by_name(name)?;
        let join = |text: &str| -> ko_eval_core::Result<String> {
            let tokens = unit.tokenize(text)?;
            Ok(tokens.iter().map(|token| token.as_str()).collect::<Vec<_>>().join(" "))
        };
        for (hypothesis, reference) in pairs() {
            println!("{name}\t{}\t{}", join(&hypothesis)?, join(&reference)?);
        }
    }
    Ok(())
}
