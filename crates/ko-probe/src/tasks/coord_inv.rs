//! CoordInv, coordination inversion: have two coordinated clauses changed places?
//!
//! Korean marks the clause that comes first by its ending (비가 오고 바람이 분다), so clauses cannot simply trade
//! places: their predicates trade endings as well (바람이 불고 비가 온다). Both new forms must occur somewhere in
//! the corpus, so that every eojeol stays one that somebody wrote.

use super::somo::Inflected;
use crate::{
    dataset::Dataset,
    sentence::{Sentence, Word},
    task::{Hidden, Options, Property, Standing, Task},
    treebank::Treebank,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "CoordInv",
    property: Property::Semantic,
    summary: "whether two coordinated clauses have changed places",
    hidden: Hidden::Allowed,
    standing: Standing::Optional,
    label,
};

/// Forms of the corpus by stem, tags and what follows the stem.
type Forms<'t> = FxHashMap<(&'t str, &'t str, &'t str), &'t str>;

fn label(treebank: &Treebank, options: &Options) -> Dataset {
    let mut forms: Forms<'_> = FxHashMap::default();
    for word in treebank.sentences.iter().flat_map(|annotated| &annotated.sentence.words) {
        if let Some(Inflected { stem, tags, rest }) = Inflected::of(word) {
            forms.entry((stem, tags, rest)).or_insert(&word.form);
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(options.split.seed());
    let mut data = Dataset::new("CoordInv");
    data.classes = vec!["original".into(), "inverted".into()];
    for annotated in &treebank.sentences {
        let sentence = &annotated.sentence;
        match inverted(sentence, &forms) {
            Err(reason) => data.drop(reason),
            Ok(words) if rng.random::<bool>() => {
                data.push("inverted", Sentence::text_of(&words), sentence.origin.clone());
            }
            Ok(_) => {
                data.push("original", Sentence::text_of(&sentence.words), sentence.origin.clone());
            }
        }
    }
    data
}

/// The words with the two clauses in each other's place.
fn inverted<'t>(sentence: &'t Sentence, forms: &Forms<'t>) -> Result<Vec<Word>, &'static str> {
    const NONE: &str = "no two coordinated clauses side by side";
    let words = &sentence.words;
    let root = sentence.root().ok_or(NONE)?;
    // UD hangs the second conjunct on the first; the first is the root.
    let is_conjunct = |word: &Word| word.head == Some(root) && word.universal_relation() == "conj";
    let second = words.iter().position(is_conjunct).ok_or(NONE)?;
    let last = words.iter().rposition(|word| !word.is_punctuation()).ok_or(NONE)?;
    if second != last || second <= root {
        return Err(NONE);
    }
    let (first_clause, second_clause) =
        (words.get(..=root).ok_or(NONE)?, words.get(root + 1..=second).ok_or(NONE)?);
    // Each clause must be a phrase of its own, each with more than its predicate.
    let inside = |word: &Word, range: std::ops::RangeInclusive<usize>| {
        word.head.is_none_or(|head| range.contains(&head))
    };
    let phrases = first_clause.iter().all(|word| inside(word, 0..=root))
        && second_clause.iter().rev().skip(1).all(|word| inside(word, root + 1..=second));
    if !phrases || first_clause.len() < 2 || second_clause.len() < 2 {
        return Err(NONE);
    }
    let (a, b) = (words.get(root).ok_or(NONE)?, words.get(second).ok_or(NONE)?);
    let (stem_a, stem_b) = (Inflected::of(a).ok_or(NONE)?, Inflected::of(b).ok_or(NONE)?);
    let b_first = form(forms, stem_b, stem_a)?;
    let a_last = form(forms, stem_a, stem_b)?;
    let with_form = |clause: &[Word], form: &str, joined: bool| {
        let mut clause = clause.to_vec();
        if let Some(predicate) = clause.last_mut() {
            form.clone_into(&mut predicate.form);
            predicate.joined = joined;
        }
        clause
    };
    let mut swapped = with_form(second_clause, b_first, a.joined);
    swapped.extend(with_form(first_clause, a_last, b.joined));
    swapped.extend_from_slice(words.get(second + 1..).unwrap_or_default());
    Ok(swapped)
}

/// How the corpus writes a stem with the endings of another word.
fn form<'t>(
    forms: &Forms<'t>,
    stem: Inflected<'t>,
    like: Inflected<'t>,
) -> Result<&'t str, &'static str> {
    let known = forms.get(&(stem.stem, like.tags, like.rest)).copied();
    known.ok_or("a form that the corpus does not hold")
}
