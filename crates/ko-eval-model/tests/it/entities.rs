//! Tags to entities, and their scores, against what seqeval answered; see `entities/make.py`.

use ko_eval_core::{Result, Signature, Signed};
use ko_eval_model::{Entity, EntityCounts, EntityTagger, TagScheme};
use serde::Deserialize;
use std::ops::Range;

#[derive(Deserialize)]
struct Golden {
    conll: Vec<Case>,
    iob2: Vec<Case>,
    corpus: Corpus,
}

#[derive(Deserialize)]
struct Case {
    tags: Vec<String>,
    /// The kind, the first tag and the last.
    entities: Vec<(String, usize, usize)>,
}

#[derive(Deserialize)]
struct Corpus {
    r#true: Vec<Vec<String>>,
    found: Vec<Vec<String>>,
    conll: [f64; 3],
    iob2: [f64; 3],
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../entities/expected.json")).unwrap()
}

fn places(tags: &[String]) -> Vec<Range<usize>> {
    (0..tags.len()).map(|place| place..place + 1).collect()
}

#[test]
fn tags_say_what_seqeval_reads() {
    let golden = golden();
    for (scheme, cases) in [(TagScheme::Conll, golden.conll), (TagScheme::Iob2, golden.iob2)] {
        assert!(cases.len() >= 50);
        for case in cases {
            let ours = scheme.entities(&case.tags, &places(&case.tags));
            let theirs: Vec<Entity> = case
                .entities
                .into_iter()
                .map(|(kind, first, last)| Entity { kind, span: first..last + 1 })
                .collect();
            assert_eq!(ours, theirs, "{scheme:?} {:?}", case.tags);
        }
    }
}

#[test]
fn scores_are_seqevals() {
    let Corpus { r#true, found, conll, iob2 } = golden().corpus;
    for (scheme, theirs) in [(TagScheme::Conll, conll), (TagScheme::Iob2, iob2)] {
        let mut counts = EntityCounts::default();
        for (there, found) in r#true.iter().zip(&found) {
            let places = places(there);
            counts.add(&scheme.entities(found, &places), &scheme.entities(there, &places));
        }
        let ours = [counts.precision(), counts.recall(), counts.f1()];
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert!((ours - theirs).abs() < 1e-12, "{scheme:?}: {ours} instead of {theirs}");
        }
    }
}

#[test]
fn nothing_found_and_nothing_there_is_nothing() {
    let none = EntityCounts::default();
    assert_eq!((none.precision(), none.recall(), none.f1()), (0.0, 0.0, 0.0));
    assert!(TagScheme::Conll.entities::<&str>(&[], &[]).is_empty());
    assert_eq!(TagScheme::Conll.entities(&["I"], std::slice::from_ref(&(0..3)))[0].kind, "_");
}

#[test]
fn what_is_found_twice_is_right_once() {
    let person = Entity { kind: "PS".into(), span: 0..3 };
    let mut counts = EntityCounts::default();
    counts.add(&[person.clone(), person.clone(), person.clone()], &[person]);
    assert_eq!(counts, EntityCounts { right: 1, found: 3, there: 1 });
    assert_eq!((counts.recall(), counts.f1()), (1.0, 0.5));
}

/// Every capital letter is a person.
#[derive(Debug)]
struct Capitals;

impl Signed for Capitals {
    fn signature(&self) -> Signature {
        Signature::new("capitals")
    }
}

impl EntityTagger for Capitals {
    fn entities(&self, text: &str) -> Result<Vec<Entity>> {
        let capitals = text.char_indices().filter(|(_, c)| c.is_uppercase());
        Ok(capitals.map(|(at, _)| Entity { kind: "PS".into(), span: at..at + 1 }).collect())
    }
}

#[test]
fn a_tagger_is_compared_with_what_is_there() {
    let there = Capitals.entities("A씨와 B씨").unwrap();
    let counts = EntityCounts::of(&Capitals, [("A씨와 B씨", &there[..1]), ("c씨", &there[..0])]);
    assert_eq!(counts.unwrap(), EntityCounts { right: 1, found: 2, there: 1 });
}
