//! An averaged structured perceptron over syllables (Collins 2002).
//!
//! Each character gets a label: `O`, or `B-`/`I-` with a kind. Its features are the characters and
//! character classes around it and the word it stands in; neighbouring labels are weighed too, `I-`
//! may only continue its own kind, and the best sequence is found by Viterbi. Training decodes
//! every sentence, adds the features of the right labels, subtracts those of wrong ones, and averages the
//! weights over all steps. One sentence costs O(characters × labels × (features + labels)).
//!
//! ```
//! use ko_commongen::entity::{BioTagger, EntityTagger, LabelledSentence, TaggerTraining};
//!
//! let sentences = ["<민수:PS>가 <제주도:LC>에 갔다.", "<영희:PS>는 <부산:LC>에 산다.", "비가 온다."];
//! let sentences: Vec<LabelledSentence> = sentences.iter().map(|s| s.parse()).collect::<Result<_, _>>()?;
//! let tagger = BioTagger::train(&sentences, &TaggerTraining::default())?;
//! let found = tagger.entities("민수가 부산에 산다.").unwrap();
//! assert_eq!((found[0].kind.as_str(), found[1].kind.as_str()), ("PS", "LC"));
//! assert_eq!(found[0].span, 0..6);
//! # Ok::<(), ko_commongen::Error>(())
//! ```

mod features;
mod file;
mod labels;
mod train;
mod viterbi;

pub use train::TaggerTraining;

use super::{Entity, EntityTagger};
use features::features;
use ko_eval_core::{ExactSum, Result, Signature, Signed};
use labels::Labels;
use rustc_hash::FxHashMap;
use viterbi::viterbi;

/// A trained tagger.
#[derive(Debug, Clone, PartialEq)]
pub struct BioTagger {
    labels: Labels,
    /// From a feature to its row of weights.
    rows: FxHashMap<u64, u32>,
    weights: Vec<f32>,
    /// From one label to the next, row by row; the last row is the sentence's beginning.
    transitions: Vec<f32>,
}

impl BioTagger {
    /// The kinds it knows.
    pub fn kinds(&self) -> &[String] {
        &self.labels.kinds
    }
}

impl Signed for BioTagger {
    fn signature(&self) -> Signature {
        // The sum of all weights tells two models apart.
        let mut sum = ExactSum::default();
        self.weights.iter().for_each(|w| sum.add(f64::from(*w).abs()));
        Signature::new("bio-perceptron")
            .with("kinds", self.labels.kinds.join(","))
            .with("features", self.rows.len())
            .with("weight", format!("{:.3}", sum.value()))
    }
}

impl EntityTagger for BioTagger {
    fn known_kinds(&self) -> Option<Vec<String>> {
        Some(self.labels.kinds.clone())
    }

    fn entities(&self, text: &str) -> Result<Vec<Entity>> {
        let rows: Vec<Vec<u32>> = features(text)
            .into_iter()
            .map(|keys| keys.iter().filter_map(|key| self.rows.get(key).copied()).collect())
            .collect();
        let labels = viterbi(&self.labels, &rows, &self.weights, &self.transitions);
        Ok(self.labels.entities(text, &labels))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{EntityCounts, LabelledSentence},
        *,
    };
    use crate::Error;

    fn sentences() -> Vec<LabelledSentence> {
        let people = ["민수", "영희", "철수", "지은", "준호", "수빈"];
        let places = ["부산", "대구", "제주도", "강릉"];
        let mut sentences = Vec::new();
        for (i, person) in people.iter().enumerate() {
            for (j, place) in places.iter().enumerate() {
                let line = match (i + j) % 3 {
                    0 => format!("<{person}:PS>는 오늘 <{place}:LC>에 갔다."),
                    1 => format!("<{place}:LC>에서 <{person}:PS>가 비를 만났다."),
                    _ => format!("학교에서 <{person}:PS>의 동생이 책을 읽는다."),
                };
                sentences.push(line.parse().unwrap());
            }
        }
        sentences
    }

    #[test]
    fn learns_and_loads_back() {
        let sentences = sentences();
        let tagger = BioTagger::train(&sentences, &TaggerTraining::default()).unwrap();
        let known = sentences.iter().map(|sentence| (sentence.text(), sentence.entities()));
        let counts = EntityCounts::of(&tagger, known).unwrap();
        assert_eq!((counts.right, counts.found), (counts.there, counts.there), "{counts:?}");
        assert_eq!(tagger.entities("학교에서 동생이 책을 읽는다.").unwrap(), []);
        let file = tempfile::NamedTempFile::new().unwrap();
        tagger.save(file.path()).unwrap();
        let loaded = BioTagger::open(file.path()).unwrap();
        assert_eq!(loaded.signature(), tagger.signature());
        for text in ["영희가 강릉에 있다.", "", "   ", "대구"] {
            assert_eq!(loaded.entities(text).unwrap(), tagger.entities(text).unwrap());
        }
    }

    #[test]
    fn a_damaged_model_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        BioTagger::train(&sentences(), &TaggerTraining { epochs: 1, seed: 1 })
            .unwrap()
            .save(file.path())
            .unwrap();
        let whole = std::fs::read(file.path()).unwrap();
        for bytes in [
            &whole[..whole.len() - 1],
            &whole[..20],
            b"",
            b"KOCGNER1\xff\xff\xff\xff",
            &[&whole[..], b"x"].concat(),
        ] {
            std::fs::write(file.path(), bytes).unwrap();
            assert!(BioTagger::load(file.path()).is_err(), "{} bytes", bytes.len());
        }
    }

    #[test]
    fn nothing_to_learn_is_an_error() {
        let plain = ["비가 온다.".parse().unwrap()];
        assert!(matches!(
            BioTagger::train(&plain, &TaggerTraining::default()),
            Err(Error::NoTrainingData(_))
        ));
    }
}
