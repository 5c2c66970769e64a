//! Beam search whose answers must use given words, in any of their forms.
//!
//! Beginnings are kept in banks by how many tokens of the words they have written, each bank with its share of the beams, so that one that
//! is likelier for leaving words out drives no other away (dynamic beam allocation, Post and Vilar 2018). To every beginning are added, beside
//! its likeliest continuations, the tokens that begin or go on with a form of a word that is still missing. A word counts when all tokens of
//! one of its forms were written in a row; an answer may end only when all of them do. The search ends when no beginning scores better than the worst
//! of as many answers as beams, whatever `early_stopping` says.

use super::{Beam, Written, greatest::greatest, rules::Rules, session::Session};
use crate::{
    error::Result,
    model::{numbers, place::whole_numbers, tokenizer::TokenIds, writer::Writer},
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tch::{Kind, Tensor};

/// The words of one prompt: of each, the tokens of all its forms.
pub(crate) type Required = Vec<Vec<Vec<u32>>>;

/// A beginning.
#[derive(Debug, Clone)]
struct Running {
    tokens: Vec<u32>,
    score: f32,
    parent: i64,
    /// Which words it has used.
    used: Vec<bool>,
    /// How many of the words' tokens it has written: all of those used, and of others what stands at its end.
    progress: usize,
}

impl Running {
    fn met(&self) -> usize {
        self.used.iter().filter(|used| **used).count()
    }

    /// The same with one more token.
    fn grown(
        &self,
        begun: usize,
        token: u32,
        score: f32,
        parent: i64,
        required: &Required,
    ) -> Self {
        let mut tokens = self.tokens.clone();
        tokens.push(token);
        let written = tokens.get(begun..).unwrap_or_default();
        let used = self
            .used
            .iter()
            .zip(required)
            .map(|(used, forms)| *used || forms.iter().any(|form| written.ends_with(form)));
        let used: Vec<bool> = used.collect();
        let progress = used.iter().zip(required).map(|(used, forms)| match used {
            true => forms.iter().map(Vec::len).max().unwrap_or(0),
            false => forms.iter().map(|form| begun_of(form, written)).max().unwrap_or(0),
        });
        Self { progress: progress.sum(), used, score, parent, tokens }
    }

    /// Tokens that begin a form of a missing word, or go on with one that was begun.
    fn helpful(&self, begun: usize, required: &Required) -> BTreeSet<u32> {
        let written = self.tokens.get(begun..).unwrap_or_default();
        let missing = self.used.iter().zip(required).filter(|(used, _)| !**used);
        let next = |form: &Vec<u32>| form.get(begun_of(form, written)).copied();
        missing.flat_map(|(_, forms)| forms.iter().filter_map(next)).collect()
    }
}

/// How many tokens of a form, but not all, stand at the end of what is written.
fn begun_of(form: &[u32], written: &[u32]) -> usize {
    let stands = |&so_far: &usize| form.get(..so_far).is_some_and(|part| written.ends_with(part));
    (1..form.len()).rev().find(stands).unwrap_or(0)
}

/// The answers of one prompt, best first.
pub(crate) fn constrained(
    writer: &Writer,
    prompt: &TokenIds,
    start: Option<u32>,
    rules: &Rules,
    beam: Beam,
    required: &Required,
) -> Result<Vec<Written>> {
    let (mut session, logits, before) = Session::start(writer, &[prompt], start)?;
    let tokens = before.into_iter().next().unwrap_or_default();
    search(logits, tokens, rules, beam, required, |rows, tokens| {
        session.keep_rows(rows)?;
        session.step(tokens)
    })
}

/// The same over anything that gives numbers to tokens: first `logits` after `tokens`, then what `step` says, which keeps rows and writes a token to
/// each.
fn search(
    mut logits: Tensor,
    tokens: Vec<u32>,
    rules: &Rules,
    beam: Beam,
    required: &Required,
    mut step: impl FnMut(&[i64], &[i64]) -> Result<Tensor>,
) -> Result<Vec<Written>> {
    let begun = tokens.len();
    let used = vec![false; required.len()];
    let mut running = vec![Running { tokens, score: 0.0, parent: 0, used, progress: 0 }];
    let mut found: Vec<(f32, Running)> = Vec::new();
    for new in 0..rules.max {
        let before: Vec<&[u32]> = running.iter().map(|one| one.tokens.as_slice()).collect();
        let log = rules.apply(logits.f_log_softmax(-1, Kind::Float)?, &before, new)?;
        let mut next = continuations(&log, &running, begun, required, beam)?;
        let length = new + 1;
        let all = required.len();
        next.retain(|one| {
            let token = one.tokens.last().copied().unwrap_or(0);
            let ends = rules.ends(token) || length == rules.max;
            if ends && one.met() == all {
                found.push((one.score / beam.divisor(length), one.clone()));
            }
            !ends
        });
        found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        found.truncate(beam.beams);
        running = allocate(next, beam.beams);
        let best = running.iter().map(|one| one.score).fold(f32::NEG_INFINITY, f32::max);
        let worst = found.last().filter(|_| found.len() == beam.beams).map(|(score, _)| *score);
        let hopeless = worst.is_some_and(|worst| best / beam.divisor(length) <= worst);
        if running.is_empty() || hopeless || length == rules.max {
            break;
        }
        let rows: Vec<i64> = running.iter().map(|one| one.parent).collect();
        let last = |one: &Running| one.tokens.last().map_or(0, |&token| i64::from(token));
        logits = step(&rows, &running.iter().map(last).collect::<Vec<_>>())?;
    }
    let written = |(score, one): &(f32, Running)| Written {
        tokens: one.tokens.get(begun..).unwrap_or_default().to_vec(),
        score: f64::from(*score),
    };
    Ok(found.iter().map(written).collect())
}

/// Every beginning's likeliest continuations and its helpful ones, best first, none twice.
fn continuations(
    log: &Tensor,
    running: &[Running],
    begun: usize,
    required: &Required,
    beam: Beam,
) -> Result<Vec<Running>> {
    let tokens = log.size2()?.1;
    let most = i64::try_from(2 * beam.beams).unwrap_or(i64::MAX).min(tokens);
    let (_, likeliest) = greatest(log, most)?;
    let chosen = whole_numbers(&likeliest)?;
    let width = usize::try_from(tokens).unwrap_or(1).max(1);
    let logs = numbers(log)?;
    let per_row = usize::try_from(most).unwrap_or(1).max(1);
    let mut next = Vec::new();
    let rows = running.iter().zip(logs.chunks(width)).zip(chosen.chunks(per_row));
    for (row, ((one, logs), chosen)) in (0i64..).zip(rows) {
        let mut tokens = one.helpful(begun, required);
        tokens.extend(chosen.iter().filter_map(|&token| u32::try_from(token).ok()));
        for token in tokens {
            let log = logs.get(token as usize).copied().unwrap_or(f32::NEG_INFINITY);
            if log > f32::NEG_INFINITY {
                next.push(one.grown(begun, token, one.score + log, row, required));
            }
        }
    }
    next.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(next)
}

/// As many as beams, of every bank its share: round by round the best of each, from the one that has written most of the words on.
fn allocate(next: Vec<Running>, beams: usize) -> Vec<Running> {
    let mut banks: BTreeMap<usize, VecDeque<Running>> = BTreeMap::new();
    for one in next {
        banks.entry(one.progress).or_default().push_back(one);
    }
    let mut kept = Vec::with_capacity(beams);
    while kept.len() < beams && banks.values().any(|bank| !bank.is_empty()) {
        for bank in banks.values_mut().rev() {
            if kept.len() < beams {
                kept.extend(bank.pop_front());
            }
        }
    }
    kept
}

/// Whether an answer may have room for all words; if not, why.
pub(crate) fn check(required: &Required, rules: &Rules) -> Result<(), String> {
    let (mut needed, mut longest) = (0, 0);
    for (place, forms) in required.iter().enumerate() {
        let Some(shortest) = forms.iter().map(Vec::len).filter(|&n| n > 0).min() else {
            let word = place + 1;
            return Err(format!("word {word} has no form that the model's tokens can write"));
        };
        let others = || required.iter().enumerate().filter(|(other, _)| *other != place);
        let of_others = || others().flat_map(|(_, forms)| forms);
        let own = |form: &Vec<u32>| {
            form.len() - of_others().map(|other| shared(other, form)).max().unwrap_or(0)
        };
        needed += forms.iter().filter(|form| !form.is_empty()).map(own).min().unwrap_or(0);
        longest = shortest.max(longest);
    }
    let needed = needed.max(longest);
    // An answer may stop where it has no more room, but a forced end takes its place.
    let (end, also) = match rules.forced_last {
        Some(_) => (1, " and an end"),
        None => (0, ""),
    };
    match needed + end > rules.max {
        true => Err(format!(
            "its words take at least {needed} tokens{also}, but an answer may have {}",
            rules.max
        )),
        false => Ok(()),
    }
}

/// The most tokens of a form that need not be written again after another: all that stand within it, or those at its end that this one begins with.
fn shared(other: &[u32], form: &[u32]) -> usize {
    match other.windows(form.len()).any(|part| part == form) {
        true => form.len(),
        false => begun_of(form, other),
    }
}

#[cfg(test)]
mod against_all;

#[cfg(test)]
mod tests {
    use super::*;

    fn one(tokens: &[u32], used: &[bool], score: f32) -> Running {
        let progress = used.iter().filter(|used| **used).count();
        Running { tokens: tokens.to_vec(), score, parent: 0, used: used.to_vec(), progress }
    }

    #[test]
    fn forms_are_begun_gone_on_with_and_counted() {
        let required: Required = vec![vec![vec![5, 6], vec![7]], vec![vec![8, 9, 10]]];
        let start = one(&[0], &[false, false], 0.0);
        assert_eq!(start.helpful(1, &required), BTreeSet::from([5, 7, 8]));
        let begun = start.grown(1, 8, 0.0, 0, &required).grown(1, 9, 0.0, 0, &required);
        assert_eq!(begun.helpful(1, &required), BTreeSet::from([5, 7, 10]));
        let done = begun.grown(1, 10, 0.0, 0, &required);
        assert_eq!(
            (done.used.as_slice(), done.progress, begun.progress),
            ([false, true].as_slice(), 3, 2)
        );
        assert_eq!(done.grown(1, 7, 0.0, 0, &required).met(), 2);
        // What stood before counts for nothing.
        assert_eq!(one(&[5], &[false, false], 0.0).grown(1, 6, 0.0, 0, &required).met(), 0);
    }

    #[test]
    fn words_that_share_tokens_take_less_room() {
        let rules = |max, forced_last| Rules {
            end: vec![2],
            min: 0,
            max,
            no_repeat: 0,
            penalty: 1.0,
            forced_first: None,
            forced_last,
        };
        // The second stands in the first, and the third begins as it ends: 5 6 7 8 has them all.
        let words: Required = vec![vec![vec![5, 6, 7]], vec![vec![6]], vec![vec![7, 8]]];
        assert_eq!(check(&words, &rules(4, None)), Ok(()));
        assert_eq!(check(&words, &rules(5, Some(2))), Ok(()));
        assert!(check(&words, &rules(2, None)).is_err());
        let apart: Required = vec![vec![vec![5, 6]], vec![vec![7], vec![8, 9, 10]]];
        assert_eq!(check(&apart, &rules(3, None)), Ok(()));
        let error = check(&apart, &rules(3, Some(2))).unwrap_err();
        assert!(error.contains("at least 3 tokens and an end"), "{error}");
        assert!(check(&apart, &rules(2, None)).unwrap_err().contains("at least 3 tokens, but"));
        assert!(check(&vec![vec![]], &rules(9, None)).unwrap_err().contains("word 1 has no form"));
    }

    #[test]
    fn every_bank_has_its_share() {
        let next = vec![
            one(&[1], &[false], -0.1),
            one(&[2], &[false], -0.2),
            one(&[3], &[false], -0.3),
            one(&[4], &[true], -9.0),
        ];
        let kept: Vec<u32> = allocate(next, 3).iter().map(|one| one.tokens[0]).collect();
        assert_eq!(kept, [4, 1, 2]);
    }
}
