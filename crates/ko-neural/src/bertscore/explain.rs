//! Why a segment has its BERTScore: every token's best partner, and how alike they are.

use super::{BertScore, Match, Side, chunks, greedy_match, partners};
use crate::received;
use ko_eval_core::{
    Direction, Error, Explanation, Metric, Result, Segment, Signed,
    explain::{Formula, Layer, Link, LinkKind, Selection, Unit},
    par_map,
};
use ko_eval_model::Encoding;

impl BertScore {
    pub(super) fn explained(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>> {
        let mut all = Vec::with_capacity(segments.len());
        let bytes = |segment: &Segment<'_>| segment.texts().map(str::len).sum();
        for chunk in chunks(segments, bytes) {
            let texts: Vec<&str> = chunk.iter().flat_map(Segment::texts).collect();
            let encodings = received::encodings("BERTScore", &*self.encoder, &texts)?;
            let mut encodings = encodings.into_iter();
            let mut groups = Vec::with_capacity(chunk.len());
            for segment in chunk {
                let count = segment.references().len() + 1;
                let group: Vec<Encoding> = encodings.by_ref().take(count).collect();
                groups.push((segment, group));
            }
            all.extend(par_map(&groups, |(segment, group)| self.explain_one(segment, group))?);
        }
        Ok(all)
    }

    fn explain_one(&self, segment: &Segment<'_>, encodings: &[Encoding]) -> Result<Explanation> {
        let sides: Vec<Side> = encodings.iter().map(|encoding| self.side(encoding)).collect();
        let Some((hypothesis, references)) = sides.split_first() else {
            return Err(Error::NoReference);
        };
        let stats = self.stats(hypothesis, &references.iter().collect::<Vec<_>>())?;
        let mut units = encodings.iter().zip(segment.texts()).map(|(e, text)| located(text, e));
        let own = units.next().unwrap_or_default();
        let mut layer = Layer::new("tokens", own, units.collect());
        let defined: Vec<bool> = references
            .iter()
            .map(|reference| greedy_match(hypothesis, reference).is_some())
            .collect();
        for (number, reference) in references.iter().enumerate() {
            if defined.get(number) == Some(&true) {
                layer.links.extend(links(hypothesis, reference, number));
            }
        }
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::HigherIsBetter, score);
        let explanation = explanation
            .with_layer(layer)
            .with_reference((references.len() == 1).then_some(0))
            .with_given("hypothesis-weight", hypothesis.weights.iter().sum());
        let explanation = references.iter().zip(defined).enumerate().fold(
            explanation,
            |explanation, (number, (reference, defined))| {
                with_reference(explanation, number, reference, defined)
            },
        );
        Ok(with_score(explanation, references.len(), self.baseline))
    }
}

/// The tokens of a text, without the marks that say where words begin.
fn located(text: &str, encoding: &Encoding) -> Vec<Unit> {
    let bare = |token: &String| -> String {
        let bare = token.strip_prefix("##").unwrap_or(token);
        bare.strip_prefix('▁').unwrap_or(bare).to_owned()
    };
    Unit::located(text, encoding.tokens.iter().map(bare))
}

/// The best partner of every token that has a weight, in both directions; each counts its similarity times its weight.
fn links(hypothesis: &Side, reference: &Side, number: usize) -> Vec<Link> {
    let (ours, theirs) = partners(hypothesis, reference);
    let weighted = |similarity: f32, weight: f64| f64::from(similarity) * weight;
    let own = ours.iter().zip(&hypothesis.weights).enumerate().filter(|(_, (_, w))| **w != 0.0);
    let mut links: Vec<Link> = own
        .map(|(own, ((similarity, their), weight))| {
            let link = Link::new(LinkKind::Partner, own..own + 1).with(number, *their..their + 1);
            link.worth(weighted(*similarity, *weight))
        })
        .collect();
    let their = theirs.iter().zip(&reference.weights).enumerate().filter(|(_, (_, w))| **w != 0.0);
    links.extend(their.map(|(their, ((similarity, own), weight))| {
        let link = Link::new(LinkKind::Counterpart, *own..own + 1).with(number, their..their + 1);
        link.worth(weighted(*similarity, *weight))
    }));
    links
}

/// Precision, recall and F with one reference; 0 where a side has no weight.
fn with_reference(
    explanation: Explanation,
    number: usize,
    reference: &Side,
    defined: bool,
) -> Explanation {
    let k = number + 1;
    let sum = |kind| Formula::links(Selection::of(kind).reference(number));
    let [precision, recall] = match defined {
        true => [
            Formula::ratio(sum(LinkKind::Partner), "hypothesis-weight"),
            Formula::ratio(sum(LinkKind::Counterpart), format!("reference-weight-{k}")),
        ],
        false => [Formula::Constant(0.0), Formula::Constant(0.0)],
    };
    let parts = [format!("precision-{k}"), format!("recall-{k}")];
    let [p, r] = parts.clone().map(Formula::part);
    let product = Formula::product([Formula::Constant(2.0), p.clone(), r.clone()]);
    let [precision_name, recall_name] = parts;
    explanation
        .with_given(format!("reference-weight-{k}"), reference.weights.iter().sum())
        .with_part(precision_name, precision)
        .with_part(recall_name, recall)
        .with_part(format!("f1-{k}"), Formula::ratio(product, Formula::sum([p, r])))
}

/// The greatest F of all references, rescaled if that is asked for.
fn with_score(explanation: Explanation, references: usize, baseline: Option<Match>) -> Explanation {
    let greatest = Formula::max((1..=references).map(|k| format!("f1-{k}")));
    let explanation = explanation.with_part("f1", greatest);
    match baseline {
        None => explanation.with_part("score", Formula::part("f1")),
        Some(Match { f1, .. }) => {
            let above = Formula::difference("f1", "baseline");
            let rescaled = Formula::ratio(above, Formula::difference(1.0, "baseline"));
            explanation.with_given("baseline", f1).with_part("score", rescaled)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bertscore::Idf;
    use ko_eval_core::{Scorer, Signature};
    use ko_eval_model::{Embeddings, Encoder};
    use std::sync::Arc;

    /// A vector per word, by its letters; a mark before and behind the text.
    #[derive(Debug)]
    struct Letters;

    impl Signed for Letters {
        fn signature(&self) -> Signature {
            Signature::new("letters")
        }
    }

    impl Encoder for Letters {
        fn encode(&self, texts: &[&str]) -> Result<Vec<Encoding>> {
            let encode = |text: &&str| {
                let words = text.split_whitespace().map(str::to_owned);
                let tokens: Vec<String> = std::iter::once("[CLS]".to_owned())
                    .chain(words)
                    .chain(["[SEP]".to_owned()])
                    .collect();
                let vector = |token: &String| {
                    let mut vector = [0.1f32; 16];
                    token.chars().for_each(|c| vector[c as usize % 16] += 1.0);
                    vector
                };
                let vectors = tokens.iter().flat_map(vector).collect();
                let special: Vec<bool> =
                    tokens.iter().map(|token| token.starts_with('[')).collect();
                Encoding::new(tokens, special, Embeddings::from_rows(16, vectors)?)
            };
            texts.iter().map(encode).collect()
        }
    }

    fn metrics() -> Vec<BertScore> {
        let plain = BertScore::new(Arc::new(Letters));
        let idf = Idf::from_references(&Letters, &["나는 밥을 먹었다", "나는 간다"]).unwrap();
        let baseline = Match { precision: 0.2, recall: 0.3, f1: 0.25 };
        let rescaled = plain.clone().baseline(baseline).unwrap();
        vec![plain.clone(), plain.idf(idf.clone()), rescaled.clone(), rescaled.idf(idf)]
    }

    #[test]
    fn partners_add_up_to_the_score() {
        let texts = ["나는 밥을 먹었다", "밥을 나는 먹는다", "비가 온다", "", "나는"];
        let mut cases = 0;
        for metric in metrics() {
            for hypothesis in texts {
                for references in texts
                    .map(|a| vec![a, "나는 죽을 먹었다"])
                    .into_iter()
                    .chain(texts.map(|a| vec![a]))
                {
                    let segment = Segment::new(hypothesis, references).unwrap();
                    let score = metric.segment_score(&segment).unwrap();
                    let explanation = Scorer::explain(&metric, &segment).unwrap();
                    let found = explanation.recomputed().unwrap();
                    assert!(
                        (found - score.value).abs() < 1e-9,
                        "{segment:?}: {found} {}",
                        score.value
                    );
                    assert_eq!(explanation.score, score);
                    cases += 1;
                }
            }
        }
        assert_eq!(cases, 200);
    }

    #[test]
    fn equal_words_are_partners() {
        let metric = BertScore::new(Arc::new(Letters));
        let segment = Segment::new("나는 밥을 먹었다", ["밥을 나는 먹었다"]).unwrap();
        let explanation = Scorer::explain(&metric, &segment).unwrap();
        let layer = &explanation.layers[0];
        let partner = |own: u32| {
            let of = |link: &&Link| link.kind == LinkKind::Partner && link.hypothesis.start == own;
            let link = layer.links.iter().find(of).unwrap();
            (link.reference.as_ref().unwrap().units.start, (link.value * 1e6).round() / 1e6)
        };
        // The first token is a mark.
        assert_eq!([partner(1), partner(2), partner(3)], [(2, 1.0), (1, 1.0), (3, 1.0)]);
        assert_eq!(layer.hypothesis[2].span(), 7..13);
        assert_eq!(layer.hypothesis_roles().len(), 5);
    }
}
