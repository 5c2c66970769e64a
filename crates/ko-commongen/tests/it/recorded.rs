//! An analyzer that knows a few sentences of ours: analyses that MeCab-ko gave without its
//! left-space penalty (mecab-ko-dic 2.1.1), so that tests need no dictionary.

use ko_eval_core::{Error, Result, Signature, Signed, Token, Tokenizer};
use ko_tokenize::{Morpheme, MorphemeAnalyzer};
use std::{collections::BTreeMap, sync::Arc};

const ANALYSES: &str = include_str!("../recorded/analyses.tsv");

#[derive(Debug)]
struct Recorded(BTreeMap<&'static str, Vec<(&'static str, &'static str)>>);

pub(crate) fn analyzer() -> Arc<dyn MorphemeAnalyzer> {
    let piece = |piece: &'static str| piece.rsplit_once('/').unwrap();
    let line = |line: &'static str| {
        let (text, pieces) = line.split_once('\t').unwrap();
        (text, pieces.split(' ').map(piece).collect())
    };
    Arc::new(Recorded(ANALYSES.lines().map(line).collect()))
}

impl Signed for Recorded {
    fn signature(&self) -> Signature {
        Signature::new("recorded-mecab-ko@2.1.1")
    }
}

impl Tokenizer for Recorded {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
    }
}

impl MorphemeAnalyzer for Recorded {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        let missing = || Error::invalid("recorded", "text", text, "a recorded sentence");
        let pieces = self.0.get(text).ok_or_else(missing)?;
        let mut at = 0;
        let mut place = |form: &str| {
            let start = at + text[at..].find(form).unwrap();
            at = start + form.len();
            start..at
        };
        let morpheme = |&(form, tag): &(&'static str, &'static str)| Morpheme {
            form: form.into(),
            tag: tag.into(),
            span: place(form),
        };
        Ok(pieces.iter().map(morpheme).collect())
    }
}
