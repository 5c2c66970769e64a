//! Korean CommonGen: the best of several candidates, and a system's scores. With MeCab-ko the figures are the published ones;
//! the endings alone, which need no dictionary, show how it works.

use ko_eval::{
    Result,
    commongen::{Candidate, Candidates, Columns, Evaluator, Item, Pairs, Protocol, Reranker},
    register::Endings,
};
use std::sync::Arc;

fn main() -> Result<()> {
    let analyzer = Arc::new(Endings);
    let offered = Candidates {
        concept_set: "야구#선수#공".into(),
        candidates: ["선수가 달린다.", "야구 선수가 공을 던진다.", "공이 구른다."]
            .map(|text| Candidate { text: text.into(), score: None })
            .into(),
    };
    let choice = Reranker::new(analyzer.clone()).choose(&offered)?;
    println!("for {} take: {}", offered.concept_set, choice.text);

    let items = vec![
        Item::new(["야구", "선수", "공"], ["야구 선수가 공을 쳤다.", "선수가 야구 공을 던진다."])?,
        Item::new(["아이", "공원", "놀다"], ["아이가 공원에서 놀고 있다."])?,
    ];
    let outputs = vec![choice.text, "아이들이 공원에서 논다.".to_owned()];
    let pairs = Pairs::new(items, outputs)?;
    let scores = Evaluator::new(analyzer, Protocol::Paper).evaluate(&pairs, &())?;
    for (name, value) in Columns::NAMES.iter().zip(scores.columns.values()) {
        println!("{name:10} {value:6.2}");
    }
    Ok(())
}
