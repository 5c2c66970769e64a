//! Many texts through a model: equal texts once, texts of like length together, on several threads.

use super::{batch::Batch, replicas::Replicas, tokenizer::TokenIds};
use crate::error::{Error, Result};
use rustc_hash::FxHashMap;

/// `f`'s answer for every text, in order; `f` sees batches of at most `tokens` tokens, or of one text, and answers
/// a value per text.
///
/// Each replica is one thread's. Memory: the answers, and one batch per thread.
pub(crate) fn run<M: Send, T: Clone + Send>(
    replicas: &Replicas<M>,
    tokens: usize,
    texts: &[TokenIds],
    f: impl Fn(&M, &Batch) -> Result<Vec<T>> + Sync,
) -> Result<Vec<T>> {
    let at = replicas.place();
    let (distinct, place) = deduplicate(texts);
    let batches = plan(&distinct, tokens, replicas.count());
    let values = replicas.run(&batches, |model, batch| {
        let texts: Vec<&TokenIds> =
            batch.iter().filter_map(|&text| distinct.get(text).copied()).collect();
        f(model, &Batch::new(&texts, at)?)
    })?;
    let mut answers: Vec<Option<T>> = vec![None; distinct.len()];
    for (batch, values) in batches.iter().zip(values) {
        for (&text, value) in batch.iter().zip(values) {
            if let Some(slot) = answers.get_mut(text) {
                *slot = Some(value);
            }
        }
    }
    // The last text that an answer belongs to takes it; only repeated texts copy.
    let mut uses = vec![0usize; distinct.len()];
    for &text in &place {
        uses.get_mut(text).into_iter().for_each(|count| *count += 1);
    }
    let mut answer = |&text: &usize| {
        let (slot, uses) = (answers.get_mut(text)?, uses.get_mut(text)?);
        *uses -= 1;
        if *uses == 0 { slot.take() } else { slot.clone() }
    };
    let missing = || Error::Operation("a model answered for fewer texts than it was given".into());
    place.iter().map(|text| answer(text).ok_or_else(missing)).collect()
}

/// The distinct texts, and for every text which of them it is.
fn deduplicate(texts: &[TokenIds]) -> (Vec<&TokenIds>, Vec<usize>) {
    let mut known: FxHashMap<(&[u32], &[u32]), usize> = FxHashMap::default();
    let mut distinct = Vec::new();
    let place = texts
        .iter()
        .map(|text| {
            *known.entry((&text.ids, &text.types)).or_insert_with(|| {
                distinct.push(text);
                distinct.len() - 1
            })
        })
        .collect();
    (distinct, place)
}

/// Batches of at most `tokens` tokens, the longest texts first. They are made as even as that allows, as many for
/// every thread, so that none waits long for the others' last.
fn plan(texts: &[&TokenIds], tokens: usize, threads: usize) -> Vec<Vec<usize>> {
    let length = |text: usize| texts.get(text).map_or(0, |pieces| pieces.len());
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|&text| std::cmp::Reverse(length(text)));
    let mut left: usize = texts.iter().map(|text| text.len()).sum();
    let count = left.div_ceil(tokens.max(1)).next_multiple_of(threads.max(1));
    let mut batches: Vec<Vec<usize>> = Vec::with_capacity(count);
    let (mut laid, mut goal) = (0, 0);
    for text in order {
        let length = length(text);
        match batches.last_mut() {
            Some(batch) if laid < goal && laid + length <= tokens => {
                laid += length;
                batch.push(text);
            }
            _ => {
                goal = left / count.saturating_sub(batches.len()).max(1);
                laid = length;
                batches.push(vec![text]);
            }
        }
        left -= length;
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(ids: &[u32]) -> TokenIds {
        TokenIds { ids: ids.to_vec(), types: vec![0; ids.len()], special: vec![false; ids.len()] }
    }

    #[test]
    fn like_lengths_lie_together_and_equal_texts_once() {
        let texts = [text(&[1]), text(&[1, 2, 3]), text(&[1]), text(&[4, 5]), text(&[6, 7, 8])];
        let (distinct, place) = deduplicate(&texts);
        assert_eq!(place, [0, 1, 0, 2, 3]);
        let lengths = |batch: &Vec<usize>| batch.iter().map(|&t| distinct[t].len()).collect();
        let batches: Vec<Vec<usize>> = plan(&distinct, 6, 1).iter().map(lengths).collect();
        assert_eq!(batches, [vec![3, 3], vec![2, 1]]);
        assert_eq!(plan(&distinct, 9, 1).len(), 1);
        assert_eq!(plan(&distinct, 9, 2).len(), 2, "a batch for every thread");
        assert_eq!(plan(&distinct, 1, 1).len(), 4, "a text longer than the budget goes alone");
        assert!(plan(&[], 6, 2).is_empty());
    }
}
