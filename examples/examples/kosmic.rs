//! Table 2 of KOSMIC's paper on paraphrases that rules make: the tone flipped while the meaning stays, and the meaning changed while the
//! tone stays. Here by grammar, without a model; with a folder as argument, the texts are written there, a file for each method, and
//! `ko-eval kosmic --first copy.txt --method tone-flipped=tone-flipped.txt …` is the same with trained ones.

use ko_eval::{
    Error, Result,
    meta::methods::{ParaphrasedBy, compare_paraphrases},
    register::{metrics::LikenessBy, prelude::*},
};
use std::{env, fs, path::Path, sync::Arc};

/// In 해요체.
const SOURCES: [&str; 5] = [
    "어제 친구와 영화를 봤어요.",
    "동생이 아침 일찍 학교에 갔어요.",
    "주말에 어머니와 시장에 가요.",
    "저녁부터 비가 많이 와요.",
    "이 책은 동생의 것이에요.",
];

/// 해요체 to 해체: the copula's -에요 becomes -야, any other loses its 요.
fn in_plain_tone(sentence: &str) -> String {
    let words = sentence.trim_end_matches('.');
    match (words.strip_suffix("이에요"), words.strip_suffix('요')) {
        (Some(noun), _) => format!("{noun}이야."),
        (None, Some(verb)) => format!("{verb}."),
        (None, None) => sentence.to_owned(),
    }
}

/// 안 before the predicate, the last word; of a noun's, 아니에요.
fn negated(sentence: &str) -> String {
    match (sentence.strip_suffix("이에요."), sentence.rsplit_once(' ')) {
        (Some(noun), _) => format!("{noun}이 아니에요."),
        (None, Some((rest, predicate))) => format!("{rest} 안 {predicate}"),
        (None, None) => format!("안 {sentence}"),
    }
}

/// What each method made of every source.
fn methods() -> [(&'static str, [String; 5]); 4] {
    let mut others = SOURCES.map(str::to_owned);
    others.rotate_left(1);
    [
        ("copy", SOURCES.map(str::to_owned)),
        ("tone-flipped", SOURCES.map(in_plain_tone)),
        ("meaning-denied", SOURCES.map(negated)),
        ("another-sentence", others),
    ]
}

/// Every method's mean parts and score, by grammar.
fn table(methods: &[(&'static str, [String; 5])]) -> Result<Vec<ParaphrasedBy>> {
    let meaning = LikenessBy::new(ko_eval::metric("chrf", "jamo")?, (0.0, 100.0))?;
    let kosmic = GrammarKosmic::new(Arc::new(meaning), RegisterAnalyzer::without_dictionary());

    let methods: Vec<(&str, Vec<&str>)> = methods
        .iter()
        .map(|(name, texts)| (*name, texts.iter().map(String::as_str).collect()))
        .collect();
    Ok(compare_paraphrases(&kosmic, &SOURCES, &methods)?)
}

fn main() -> Result<()> {
    let methods = methods();
    if let Some(folder) = env::args().nth(1) {
        for (name, texts) in &methods {
            let path = Path::new(&folder).join(format!("{name}.txt"));
            fs::write(&path, texts.join("\n") + "\n").map_err(|e| Error::io(&path, e))?;
        }
    }
    println!("{:16}    STS    FIC    CSL  KOSMIC   such as", "");
    for (row, (_, texts)) in table(&methods)?.iter().zip(&methods) {
        let parts: String = row.parts.iter().map(|part| format!(" {part:6.2}")).collect();
        println!("{:16}{parts} {:7.2}   {}", row.method, row.score, texts[0]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_loses_what_its_rule_takes_away() {
        let rows = table(&methods()).unwrap();
        let [copy, flipped, denied, other] = rows.as_slice() else { panic!("{rows:?}") };
        assert!([flipped, denied, other].iter().all(|row| row.score < copy.score), "{rows:?}");
        let [meaning, formality, tone] =
            [0, 1, 2].map(|part| move |row: &ParaphrasedBy| row.parts[part]);
        assert!(formality(flipped) < 1.0 && tone(flipped) < 2.5, "{rows:?}");
        for kept in [denied, other] {
            assert_eq!(formality(kept), formality(copy), "{rows:?}");
            assert!(tone(kept) > 2.5, "{rows:?}");
        }
        assert!(meaning(other) < meaning(denied), "{rows:?}");
    }
}
