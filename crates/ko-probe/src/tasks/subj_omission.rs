//! SubjOmission: does the main predicate have a subject?
//!
//! A subject is a dependent of the root with the relation `nsubj` or `csubj`. Two habits of Korean
//! treebanks are seen through: UD Kaist calls a topic (고향은 서울입니다) `dislocated`, though without another subject the
//! topic is what the predicate is about; and where 수 in 갈 수 있다 hangs as `nsubj`, the subject is that of
//! the clause before 수.

use crate::{
    sentence::{Sentence, Word},
    task::{Hidden, Property, Standing, Task, label_each},
};

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "SubjOmission",
    property: Property::Syntactic,
    summary: "whether the main predicate has a subject",
    hidden: Hidden::Allowed,
    standing: Standing::Default,
    label: |treebank, _| {
        label_each("SubjOmission", &["present", "omitted"], treebank, |annotated| {
            match annotated.sentence.root() {
                Some(root) if has_subject(&annotated.sentence, root, 0) => Ok("present"),
                Some(_) => Ok("omitted"),
                None => Err("no root"),
            }
        })
    },
};

/// Bound nouns of fixed expressions: 수 있다, 적이 없다, 리가 없다.
const BOUND: &[&str] = &["수", "적", "리", "줄"];

fn has_subject(sentence: &Sentence, predicate: usize, depth: usize) -> bool {
    let governed = || {
        let words = sentence.words.iter().enumerate();
        words.filter(move |(_, word)| word.head == Some(predicate))
    };
    governed().any(|(at, word)| match word.universal_relation() {
        "nsubj" | "csubj" if is_bound(word) && depth < sentence.words.len() => {
            let clauses = sentence.words.iter().enumerate();
            let mut clauses = clauses.filter(|(_, clause)| clause.head == Some(at));
            clauses.any(|(clause, _)| has_subject(sentence, clause, depth + 1))
        }
        "nsubj" | "csubj" => true,
        "dislocated" => is_topic(word),
        _ => false,
    })
}

fn is_bound(word: &Word) -> bool {
    let noun = |particles: &str| ["", "가", "이", "는", "은", "도", "밖에"].contains(&particles);
    BOUND.iter().any(|bound| word.form.strip_prefix(bound).is_some_and(noun))
}

/// A noun with 은 or 는 and no adverbial particle before it.
fn is_topic(word: &Word) -> bool {
    const ADVERBIAL: &[&str] =
        &["에는", "에서는", "에게는", "께는", "로는", "와는", "과는", "부터는", "까지는", "보다는"];
    word.form.ends_with(['은', '는']) && !ADVERBIAL.iter().any(|end| word.form.ends_with(end))
}
