//! To whom is it said, and how? Speech level, and the words that show it; a pair that differs only in honorifics.

use ko_eval::{Result, register::prelude::*};

fn main() -> Result<()> {
    let analyzer = RegisterAnalyzer::without_dictionary();
    for text in ["할아버지께서 진지를 드셨습니다.", "할아버지가 밥을 먹었어.", "서울의 봄"]
    {
        let register = analyzer.analyze(text)?;
        let level = register.level.map_or("no level".to_owned(), |level| level.to_string());
        let words: Vec<&str> = register.evidence.iter().map(|word| word.text.as_str()).collect();
        println!("{text}: {level}, by {words:?}");
    }

    let pair = Segment::new("할아버지가 밥을 먹었어.", ["할아버지께서 진지를 드셨습니다."])?;
    for spec in ["chrf", "register", "honorifics"] {
        println!("{spec:12} {:6.2}", ko_eval::metric(spec, "char")?.segment_score(&pair)?);
    }
    Ok(())
}
