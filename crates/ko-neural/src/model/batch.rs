//! Token numbers of several texts, one text after the other: nothing is padded, so nothing is computed in vain.
//!
//! Texts of one length lie side by side and form a group. Products and norms go over all tokens at once; only what
//! needs to know where a text ends, attention and pooling, goes group by group, without a mask.

use super::{place::Place, tokenizer::TokenIds};
use crate::error::{Error, Result};
use std::ops::Range;
use tch::Tensor;

/// What a network reads.
#[derive(Debug)]
pub(crate) struct Batch {
    ids: Tensor,
    positions: Tensor,
    types: Tensor,
    groups: Vec<Group>,
    /// The texts as they lie here, longest first, each by its place among those given.
    order: Vec<usize>,
    mixture: Option<Mixture>,
}

/// Tokens that are no single ones: at some places stand shares of all tokens.
#[derive(Debug)]
struct Mixture {
    /// A row per such place, `[places, vocabulary]`.
    shares: Tensor,
    /// For every token of the batch its own number, or the number of tokens and the row of its shares.
    rows: Tensor,
}

/// Texts of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) texts: i64,
    /// Tokens of each.
    pub(crate) length: i64,
}

impl Batch {
    pub(crate) fn new(texts: &[&TokenIds], place: Place) -> Result<Self> {
        // A mean over nothing would be no number.
        if texts.iter().any(|text| text.len() == 0) {
            let expected = "at least one token, because the tokenizer puts none around a text";
            return Err(Error::setting("a text", "empty", expected));
        }
        let length = |text: usize| texts.get(text).map_or(0, |pieces| pieces.len());
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&text| std::cmp::Reverse(length(text)));
        let row = |of: fn(&TokenIds) -> &[u32]| -> Result<Tensor> {
            let laid = order.iter().filter_map(|&text| texts.get(text)).flat_map(|text| of(text));
            place.tensor(&laid.map(|&id| i64::from(id)).collect::<Vec<_>>())
        };
        let lengths = || order.iter().map(|&text| length(text) as i64);
        let positions: Vec<i64> = lengths().flat_map(|length| 0..length).collect();
        let mut groups: Vec<Group> = Vec::new();
        for length in lengths() {
            match groups.last_mut() {
                Some(group) if group.length == length => group.texts += 1,
                _ => groups.push(Group { texts: 1, length }),
            }
        }
        Ok(Self {
            ids: row(|text| &text.ids)?,
            positions: place.tensor(&positions)?,
            types: row(|text| &text.types)?,
            groups,
            order,
            mixture: None,
        })
    }

    /// Texts whose places under `mixed` (a range of each) are shares of all tokens instead of the ones they hold; `shares` has their rows,
    /// one text after the other as they are given.
    pub(crate) fn with_mixtures(
        texts: &[&TokenIds],
        mixed: &[Range<usize>],
        shares: &Tensor,
        place: Place,
    ) -> Result<Self> {
        let mut batch = Self::new(texts, place)?;
        let all = texts.iter().map(|text| text.len()).sum::<usize>() as i64;
        // Where each text's shares begin.
        let mut firsts = Vec::with_capacity(mixed.len());
        let mut next = all;
        for range in mixed {
            firsts.push(next);
            next += range.len() as i64;
        }
        let mut rows = Vec::new();
        for &text in &batch.order {
            let (range, first) = (mixed.get(text).cloned().unwrap_or(0..0), firsts.get(text));
            for place in 0..texts.get(text).map_or(0, |pieces| pieces.len()) {
                let own = rows.len() as i64;
                rows.push(match (range.contains(&place), first) {
                    (true, Some(first)) => first + (place - range.start) as i64,
                    _ => own,
                });
            }
        }
        let (shares, rows) = (shares.shallow_clone(), place.tensor(&rows)?);
        batch.mixture = Some(Mixture { shares, rows });
        Ok(batch)
    }

    /// The vectors of all tokens, from a table with a row for each token of the vocabulary.
    pub(crate) fn words(&self, table: &Tensor) -> Result<Tensor> {
        let own = Tensor::f_embedding(table, &self.ids, -1, false, false)?;
        match &self.mixture {
            None => Ok(own),
            Some(Mixture { shares, rows }) => {
                Ok(Tensor::f_cat(&[own, shares.f_matmul(table)?], 0)?.f_index_select(0, rows)?)
            }
        }
    }

    /// How many texts.
    pub(crate) fn texts(&self) -> usize {
        self.order.len()
    }

    /// The tokens of the longest text.
    pub(crate) fn longest(&self) -> i64 {
        self.groups.iter().map(|group| group.length).max().unwrap_or(0)
    }

    /// Each token's place in its text.
    pub(crate) fn positions(&self) -> &Tensor {
        &self.positions
    }

    pub(crate) fn types(&self) -> &Tensor {
        &self.types
    }

    /// `f` of every group and its tokens' rows of each of `xs`, `[texts · length, width]`; the answers one below the
    /// other.
    pub(crate) fn by_group<const N: usize>(
        &self,
        xs: [&Tensor; N],
        f: impl Fn(Group, [&Tensor; N]) -> Result<Tensor>,
    ) -> Result<Tensor> {
        if let [group] = self.groups.as_slice() {
            return f(*group, xs);
        }
        let sizes: Vec<i64> = self.groups.iter().map(|group| group.texts * group.length).collect();
        // Split, not narrowed group by group: its gradient is one copy.
        let split = |x: &&Tensor| x.f_split_with_sizes(&sizes, 0);
        let xs = xs.iter().map(split).collect::<Result<Vec<_>, _>>()?;
        let mut answers = Vec::with_capacity(sizes.len());
        for (place, &group) in self.groups.iter().enumerate() {
            let rows: Vec<&Tensor> = xs.iter().filter_map(|parts| parts.get(place)).collect();
            let rows = rows.try_into().map_err(|_| Error::Operation("a group went missing".into()));
            answers.push(f(group, rows?)?);
        }
        Ok(Tensor::f_cat(&answers, 0)?)
    }

    /// What every text has for each of its tokens, as the tokens lie here.
    pub(crate) fn laid<T: Copy>(&self, texts: &[&[T]]) -> Vec<T> {
        let laid = self.order.iter().filter_map(|&text| texts.get(text));
        laid.flat_map(|values| values.iter().copied()).collect()
    }

    /// A row per text, from the order here to the order given.
    pub(crate) fn in_given_order(&self, rows: Tensor) -> Result<Tensor> {
        if self.order.is_sorted() {
            return Ok(rows);
        }
        let mut places = vec![0i64; self.order.len()];
        for (here, &given) in self.order.iter().enumerate() {
            places.get_mut(given).into_iter().for_each(|place| *place = here as i64);
        }
        Ok(rows.f_index_select(0, &Place::of(&rows).tensor(&places)?)?)
    }

    /// A row of places per text, in the order given, `[texts, places, width]`, and how many places of each are its own; the rest repeat
    /// its last one.
    pub(crate) fn padded(&self, rows: &Tensor) -> Result<(Tensor, Vec<i64>)> {
        let longest = self.longest();
        let lengths = self.groups.iter().flat_map(|group| {
            std::iter::repeat_n(group.length, usize::try_from(group.texts).unwrap_or(0))
        });
        let (mut first, mut places) = (0, vec![(0, 0); self.order.len()]);
        for (length, &given) in lengths.zip(&self.order) {
            places.get_mut(given).into_iter().for_each(|place| *place = (first, length));
            first += length;
        }
        let index = places.iter().flat_map(|&(first, length)| {
            (0..longest).map(move |place| first + place.min(length - 1))
        });
        let index = Place::of(rows).tensor(&index.collect::<Vec<i64>>())?;
        let texts = self.order.len() as i64;
        let padded = rows.f_index_select(0, &index)?.f_view([texts, longest, -1])?;
        Ok((padded, places.into_iter().map(|(_, length)| length).collect()))
    }

    /// Cuts the numbers of all tokens, so many per token, into those of each text, in the order given.
    pub(crate) fn by_text(&self, numbers: &[f32], width: usize) -> Vec<Vec<f32>> {
        let lengths = self.groups.iter().flat_map(|group| {
            std::iter::repeat_n(group.length as usize * width, group.texts as usize)
        });
        let (mut rest, mut texts) = (numbers, vec![Vec::new(); self.order.len()]);
        for (length, &given) in lengths.zip(&self.order) {
            let (own, tail) = rest.split_at(length.min(rest.len()));
            texts.get_mut(given).into_iter().for_each(|text| *text = own.to_vec());
            rest = tail;
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::numbers;

    #[test]
    fn texts_lie_by_length_and_come_back_as_given() {
        let text = |ids: &[u32]| TokenIds {
            ids: ids.to_vec(),
            types: vec![0; ids.len()],
            special: vec![false; ids.len()],
        };
        let texts = [text(&[1]), text(&[2, 3, 4]), text(&[5]), text(&[6, 7])];
        let batch = Batch::new(&texts.iter().collect::<Vec<_>>(), Place::default()).unwrap();
        let group = |texts, length| Group { texts, length };
        assert_eq!(batch.groups, [group(1, 3), group(1, 2), group(2, 1)]);
        let ids = batch.ids.to_kind(tch::Kind::Float);
        assert_eq!(numbers(&ids).unwrap(), [2.0, 3.0, 4.0, 6.0, 7.0, 1.0, 5.0]);
        let positions = batch.positions().to_kind(tch::Kind::Float);
        assert_eq!(numbers(&positions).unwrap(), [0.0, 1.0, 2.0, 0.0, 1.0, 0.0, 0.0]);
        let sums = batch.by_group([&ids], |group, [rows]| {
            Ok(rows.view([group.texts, group.length]).sum_dim_intlist(
                [1i64].as_slice(),
                false,
                None,
            ))
        });
        let sums = batch.in_given_order(sums.unwrap()).unwrap();
        assert_eq!(numbers(&sums).unwrap(), [1.0, 9.0, 5.0, 13.0]);
        let (padded, lengths) = batch.padded(&ids.view([7, 1])).unwrap();
        assert_eq!(lengths, [1, 3, 1, 2]);
        let rows = [[1.0, 1.0, 1.0], [2.0, 3.0, 4.0], [5.0, 5.0, 5.0], [6.0, 7.0, 7.0]];
        assert_eq!(numbers(&padded).unwrap(), rows.concat());
        assert_eq!(batch.laid(&[&[1][..], &[2, 3, 4], &[5], &[6, 7]]), [2, 3, 4, 6, 7, 1, 5]);
        let by_text = batch.by_text(&numbers(&ids).unwrap(), 1);
        assert_eq!(by_text, [vec![1.0], vec![2.0, 3.0, 4.0], vec![5.0], vec![6.0, 7.0]]);
    }
}
