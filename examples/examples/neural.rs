//! BERTScore, RDASS and KOSMIC over an encoder of your own. With the feature `torch`, `Transformer::open(folder)` and
//! `Embedder::open(folder)` take its place.

use ko_eval::{Result, neural::prelude::*};
use std::sync::Arc;

/// A syllable as a vector: what its three letters are.
#[derive(Debug)]
struct Letters;

const LETTERS: usize = 19 + 21 + 28;

fn vector(syllable: char) -> Vec<f32> {
    let mut vector = vec![0.0; LETTERS];
    let code = (syllable as usize).wrapping_sub('가' as usize);
    if code < 11_172 {
        for letter in [code / 588, 19 + code % 588 / 28, 40 + code % 28] {
            vector[letter] = 1.0;
        }
    } else {
        vector[0] = 0.1; // no syllable of Korean
    }
    vector
}

impl Signed for Letters {
    fn signature(&self) -> Signature {
        Signature::new("letters")
    }
}

impl Encoder for Letters {
    fn encode(&self, texts: &[&str]) -> Result<Vec<Encoding>> {
        let encode = |text: &&str| {
            let tokens: Vec<String> = text.chars().map(String::from).collect();
            let vectors = Embeddings::from_rows(LETTERS, text.chars().flat_map(vector).collect())?;
            Encoding::new(tokens, vec![false; text.chars().count()], vectors)
        };
        texts.iter().map(encode).collect()
    }
}

impl SentenceEmbedder for Letters {
    fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
        let mean = |text: &&str| {
            let mut sum = vec![0.0; LETTERS];
            for syllable in text.chars() {
                sum.iter_mut().zip(vector(syllable)).for_each(|(all, one)| *all += one);
            }
            sum
        };
        Embeddings::from_rows(LETTERS, texts.iter().flat_map(mean).collect())
    }
}

fn main() -> Result<()> {
    let pair = Segment::new("밥 먹었어?", ["진지 드셨어요?", "밥 먹었어요?"])?;
    println!("BERTScore {:.3}", BertScore::new(Arc::new(Letters)).segment_score(&pair)?);

    let summary = Segment::new("정부, 새 정책 발표", ["새 정책이 발표됐다"])?
        .with_source("정부는 오늘 새 정책을 발표했다. 시민들은 환영했다.");
    println!("RDASS     {:.3}", Rdass::new(Arc::new(Letters)).segment_score(&summary)?);

    // Three likenesses of 0 to 5, here all by the same vectors; real ones are trained for meaning, formality and tone.
    let likeness = || Arc::new(Csl::new(Arc::new(Letters)));
    let weights = KosmicWeights::new(0.5, 0.25, 0.25)?;
    let kosmic = Kosmic::new(likeness(), likeness(), likeness(), weights);
    println!("KOSMIC    {:.3}", PairMetric::new(Arc::new(kosmic)).segment_score(&pair)?);
    Ok(())
}
