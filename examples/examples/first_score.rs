//! A first score, and why the unit matters.

use ko_eval::{Result, Segment};

fn main() -> Result<()> {
    let segment =
        Segment::new("저는 밥을 먹었습니다.", ["저는 밥을 먹었어요.", "나는 밥을 먹었다."])?;
    for unit in ["word", "char", "jamo"] {
        let bleu = ko_eval::metric("bleu", unit)?;
        println!("{:6.2}  {}", bleu.segment_score(&segment)?.value, bleu.signature());
    }
    Ok(())
}
