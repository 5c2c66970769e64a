//! Token numbers of several texts, padded to the longest.

use super::tokenizer::Pieces;
use crate::error::Result;
use tch::Tensor;

/// What a network reads.
#[derive(Debug)]
pub(crate) struct Batch {
    ids: Tensor,
    types: Tensor,
    /// 1 where a token is, `[texts, tokens]`; `None` when no text is padded.
    mask: Option<Tensor>,
    lengths: Vec<usize>,
    width: i64,
}

impl Batch {
    /// Pads to the right with `pad`.
    pub(crate) fn new(texts: &[&Pieces], pad: u32) -> Result<Self> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.len()).collect();
        let width = lengths.iter().copied().max().unwrap_or(0);
        let padded = |of: fn(&Pieces) -> &[u32], fill: u32| -> Result<Tensor> {
            let mut rows = Vec::with_capacity(texts.len() * width);
            for text in texts {
                let filling = std::iter::repeat_n(i64::from(fill), width - text.len());
                rows.extend(of(text).iter().map(|&id| i64::from(id)).chain(filling));
            }
            Ok(Tensor::f_from_slice(&rows)?.f_view([texts.len() as i64, width as i64])?)
        };
        let mask = if lengths.iter().all(|&length| length == width) {
            None
        } else {
            let one = |i: usize, length: usize| f32::from(u8::from(i < length));
            let rows: Vec<f32> = lengths
                .iter()
                .flat_map(|&length| (0..width).map(move |i| one(i, length)))
                .collect();
            Some(Tensor::f_from_slice(&rows)?.f_view([texts.len() as i64, width as i64])?)
        };
        Ok(Self {
            ids: padded(|text| &text.ids, pad)?,
            types: padded(|text| &text.types, 0)?,
            mask,
            lengths,
            width: width as i64,
        })
    }

    pub(crate) fn ids(&self) -> &Tensor {
        &self.ids
    }

    pub(crate) fn types(&self) -> &Tensor {
        &self.types
    }

    pub(crate) fn width(&self) -> i64 {
        self.width
    }

    pub(crate) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// 1.0 where a token is, `[texts, tokens, 1]`.
    pub(crate) fn weights(&self) -> Result<Option<Tensor>> {
        Ok(self.mask.as_ref().map(|mask| mask.f_unsqueeze(-1)).transpose()?)
    }

    /// True where a token is, `[texts, 1, 1, tokens]`.
    pub(crate) fn attention_mask(&self) -> Result<Option<Tensor>> {
        let Some(mask) = &self.mask else { return Ok(None) };
        let texts = self.lengths.len() as i64;
        Ok(Some(mask.f_gt(0.5)?.f_view([texts, 1, 1, self.width])?))
    }
}
