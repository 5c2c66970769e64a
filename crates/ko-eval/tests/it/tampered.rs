//! Statistics that were changed on their way are an error, or give the very same score: every row, every variant.

use ko_eval::{CorpusScore, Error, LIBRARY, METRICS, Scorer, Segment, Shard};
use ko_eval_testing::cases;
use serde_json::{Map, Value, json};

/// Statistics as they travel, what merges them, and their score.
struct Seed {
    spec: String,
    json: Value,
    score: CorpusScore,
}

fn segments() -> Vec<Segment<'static>> {
    let texts = [
        ("나는 밥을 먹었습니다. 비가 와요.", "저는 밥을 먹었어요. 비가 온다."),
        ("비가 온다", "비가 많이 온다"),
        ("", "눈이 온다"),
        ("할아버지께서 진지를 드신다.", "할아버지가 밥을 먹는다."),
    ];
    let segment = |(hyp, reference)| Segment::new(hyp, [reference]).unwrap().with_source(hyp);
    texts.map(segment).to_vec()
}

/// What a row over a model lacks where there is none; anything else that fails to build is a fault.
fn build(spec: &str) -> Option<Box<dyn Scorer>> {
    match ko_eval::metric(spec, "jamo") {
        Ok(metric) => Some(metric),
        Err(error) => {
            let asks = error.to_string().contains("a model folder, as in");
            assert!(asks || matches!(error, Error::Missing { .. }), "{spec}: {error}");
            None
        }
    }
}

fn seed(spec: &str, metric: &dyn Scorer) -> Option<Seed> {
    let shard = match metric.shard(&segments()) {
        Ok(shard) => shard,
        // Variants that look at the order of segments have no shards.
        Err(Error::InOrder { .. }) => return None,
        Err(error) => panic!("{spec}: {error}"),
    };
    let score = LIBRARY.merge(spec, std::slice::from_ref(&shard)).unwrap();
    assert!(shard.digest.is_some(), "{spec}");
    Some(Seed { spec: spec.to_owned(), json: serde_json::to_value(shard).unwrap(), score })
}

/// Metrics over models, over what gives every text a vector without one.
#[cfg(feature = "neural")]
fn neural() -> Vec<(&'static str, Box<dyn Scorer>)> {
    use ko_eval::{
        Embeddings, Encoder, Encoding, PairMetric, PairScorer, Result, SentenceEmbedder, Signature,
        Signed,
        neural::{BertScore, Kosmic, Rdass, kosmic::KosmicWeights},
    };
    use std::sync::Arc;

    /// A letter's vector is its code point's last digits.
    #[derive(Debug)]
    struct Letters;

    fn vector(c: char) -> [f32; 3] {
        [1.0, (c as u32 % 7) as f32, (c as u32 % 5) as f32]
    }

    impl Signed for Letters {
        fn signature(&self) -> Signature {
            Signature::new("letters")
        }
    }

    impl Encoder for Letters {
        fn encode(&self, texts: &[&str]) -> Result<Vec<Encoding>> {
            let encode = |text: &&str| {
                let data = text.chars().flat_map(vector).collect();
                let letters = || text.chars();
                let (tokens, special) = (letters().map(String::from), letters().map(|_| false));
                Encoding::new(tokens.collect(), special.collect(), Embeddings::from_rows(3, data)?)
            };
            texts.iter().map(encode).collect()
        }
    }

    impl SentenceEmbedder for Letters {
        fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
            let first = |text: &&str| vector(text.chars().next().unwrap_or('가'));
            Embeddings::from_rows(3, texts.iter().flat_map(first).collect())
        }
    }

    impl PairScorer for Letters {
        fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
            Ok(pairs.iter().map(|(one, other)| ((one.len() + other.len()) % 6) as f64).collect())
        }
    }

    let part = || Arc::new(Letters);
    let weights = KosmicWeights::new(0.5, 0.25, 0.25).unwrap();
    vec![
        ("bertscore:letters", Box::new(BertScore::new(part()))),
        ("rdass:letters", Box::new(Rdass::new(part()))),
        ("sts:letters", Box::new(PairMetric::new(part()))),
        (
            "kosmic:sts=a,fic=b,csl=c",
            Box::new(PairMetric::new(Arc::new(Kosmic::new(part(), part(), part(), weights)))),
        ),
    ]
}

#[cfg(not(feature = "neural"))]
fn neural() -> Vec<(&'static str, Box<dyn Scorer>)> {
    Vec::new()
}

fn seeds() -> Vec<Seed> {
    let specs = METRICS.iter().flat_map(|row| row.specs());
    let built: Vec<Seed> = specs.filter_map(|spec| seed(&spec, &*build(&spec)?)).collect();
    for row in METRICS.iter().filter(|row| row.is_over_units()) {
        assert!(built.iter().any(|seed| seed.spec == row.name), "{}", row.name);
    }
    assert!(built.len() > 100, "{}", built.len());
    let neural = neural().into_iter().filter_map(|(spec, metric)| seed(spec, &*metric));
    built.into_iter().chain(neural).collect()
}

/// Numbers without end, the same every time (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// How many values there are, inner ones included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum::<usize>(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// Changes the value of this number, counted from the outermost.
fn change(value: &mut Value, number: &mut usize, numbers: &mut Numbers) {
    if *number == 0 {
        replace(value, numbers);
    }
    *number = number.wrapping_sub(1);
    let inner: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    for value in inner {
        // Once it was changed, the number is beyond all others.
        if *number < usize::MAX / 2 {
            change(value, number, numbers);
        }
    }
}

fn replace(value: &mut Value, numbers: &mut Numbers) {
    let at = numbers.below(8);
    match value {
        Value::Array(items) if at < 5 && !items.is_empty() => {
            let place = numbers.below(items.len());
            match at {
                0 => drop(items.remove(place)),
                1 => items.push(items[place].clone()),
                2 => items.swap(0, place),
                3 => items.clear(),
                _ => items.truncate(place),
            }
        }
        Value::Object(fields) if at < 5 && !fields.is_empty() => {
            let name = fields.keys().nth(numbers.below(fields.len())).unwrap().clone();
            match at {
                0 | 1 => drop(fields.remove(&name)),
                2 => drop(fields.insert(format!("{name}2"), json!(1))),
                _ => *fields = Map::new(),
            }
        }
        Value::Number(number) if at < 4 => {
            let old = number.as_f64().unwrap();
            *value = match (number.as_u64(), at) {
                (Some(old), 0) => json!(old.wrapping_add(1)),
                (Some(old), 1) => json!(old.wrapping_sub(1)),
                (_, 2) => json!(old * 2.0),
                _ => json!(-old),
            };
        }
        _ => {
            let odd = [
                json!(0),
                json!(1),
                json!(-1),
                json!(u64::MAX),
                json!(1u64 << 53),
                json!(1e308),
                json!(0.5),
                json!(null),
                json!([]),
                json!({}),
                json!(""),
                json!([1e308, 1e308]),
            ];
            *value = odd[numbers.below(odd.len())].clone();
        }
    }
}

fn merge(spec: &str, json: Value) -> Option<CorpusScore> {
    let shard: Shard = serde_json::from_value(json).ok()?;
    LIBRARY.merge(spec, &[shard]).ok()
}

#[test]
fn a_changed_shard_is_an_error_or_the_same_score() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut tried, mut same, rounds) = (0, 0, cases(5, 100));
    for Seed { spec, json, score } in &seeds() {
        for _ in 0..rounds {
            let mut changed = json.clone();
            change(&mut changed, &mut numbers.below(count(json)), &mut numbers);
            tried += 1;
            if let Some(found) = merge(spec, changed.clone()) {
                assert_eq!(found, *score, "{spec}: {changed}");
                same += 1;
            }
        }
        // The text itself: a byte that is another.
        let text = json.to_string();
        for _ in 0..rounds {
            let mut bytes = text.clone().into_bytes();
            let place = numbers.below(bytes.len());
            bytes[place] = b"0123456789-.e,:[]{}\" aZ"[numbers.below(23)];
            tried += 1;
            let Ok(changed) = serde_json::from_slice::<Value>(&bytes) else { continue };
            if let Some(found) = merge(spec, changed) {
                assert_eq!(found, *score, "{spec}: {}", String::from_utf8_lossy(&bytes));
                same += 1;
            }
        }
    }
    assert!(tried > 100 * rounds, "{tried}");
    // A digest that is missing, and nothing else, is no change.
    assert!(same < tried / 10, "{same} of {tried}");
}

#[test]
fn without_a_digest_what_cannot_be_is_refused() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let rounds = cases(5, 100);
    for Seed { spec, json, score } in &seeds() {
        let mut old = json.clone();
        old.as_object_mut().unwrap().remove("digest");
        assert_eq!(merge(spec, old.clone()).as_ref(), Some(score), "{spec}: an older file");
        for _ in 0..rounds {
            let mut changed = old.clone();
            let stats = &mut changed["stats"];
            let mut number = numbers.below(count(stats));
            change(stats, &mut number, &mut numbers);
            // In range, or it would have been an error.
            if let Some(found) = merge(spec, changed.clone()) {
                assert!(found.score.value.is_finite(), "{spec}: {changed}");
                assert!(
                    found.score.details.iter().all(|d| d.value.is_finite()),
                    "{spec}: {changed}"
                );
            }
        }
        let refused = |change: &dyn Fn(&mut Value)| {
            let mut changed = old.clone();
            change(&mut changed);
            assert_eq!(merge(spec, changed.clone()), None, "{spec}: {changed}");
        };
        refused(&|shard| shard["stats"] = json!({}));
        refused(&|shard| shard["stats"] = json!([]));
        refused(&|shard| shard["segments"] = json!(0));
        refused(&|shard| shard["references"] = json!({"least": 2, "most": 1}));
        refused(&|shard| shard["stats"]["more"] = json!(1));
    }
}
