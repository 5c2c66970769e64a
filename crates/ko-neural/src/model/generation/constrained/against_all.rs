//! The search against all texts of a small vocabulary, looked at one by one: with beams for everything it finds each that has the words.

use super::*;
use crate::model::place::Place;
use ko_eval_model::EarlyStopping;

const TOKENS: u32 = 5;
const END: u32 = 0;
/// What stands before a text is no part of it, though it is the beginning of a word.
const BEFORE: [u32; 1] = [1];

/// Numbers without an order, other ones after every beginning.
fn logits(tokens: &[u32]) -> Vec<f64> {
    let number = |token: u32| {
        let mixed = tokens.iter().chain([&token]).fold(0x811c_9dc5u32, |hash, &token| {
            (hash ^ (token + 1)).wrapping_mul(0x0100_0193).rotate_left(7)
        });
        f64::from(mixed % 1009) / 300.0
    };
    (0..TOKENS).map(number).collect()
}

/// What the search finds over these numbers.
fn found(rules: &Rules, beam: Beam, required: &Required) -> Vec<Written> {
    let tensor = |rows: &[Vec<u32>]| {
        let numbers = rows.iter().flat_map(|row| logits(row)).map(|logit| logit as f32);
        let numbers: Vec<f32> = numbers.collect();
        Place::default().tensor(&numbers).unwrap().view([rows.len() as i64, -1])
    };
    let mut rows = vec![BEFORE.to_vec()];
    let first = tensor(&rows);
    search(first, BEFORE.to_vec(), rules, beam, required, |kept, tokens| {
        let grown = kept.iter().zip(tokens).map(|(&row, &token)| {
            let mut row = rows[usize::try_from(row).unwrap()].clone();
            row.push(u32::try_from(token).unwrap());
            row
        });
        rows = grown.collect();
        Ok(tensor(&rows))
    })
    .unwrap()
}

/// Adds every allowed text that begins so and uses the words, with its score.
fn add_all(
    tokens: &[u32],
    sum: f64,
    (rules, beam, required): (&Rules, Beam, &Required),
    all: &mut BTreeMap<Vec<u32>, f64>,
) {
    let whole: f64 = logits(tokens).iter().map(|logit| logit.exp()).sum();
    let new = tokens.len() + 1 - BEFORE.len();
    let is_last = new == rules.max;
    for (token, logit) in (0u32..).zip(logits(tokens)) {
        let mut grown = tokens.to_vec();
        grown.push(token);
        let n = rules.no_repeat;
        let repeats = n > 0
            && grown.len() > n
            && tokens.windows(n).any(|run| run == &grown[grown.len() - n..]);
        let mut log = logit - whole.ln();
        if tokens.contains(&token) {
            log *= rules.penalty;
        }
        match rules.forced_last.filter(|_| is_last) {
            Some(forced) if forced == token => log = 0.0,
            Some(_) => continue,
            None if repeats || token == END && new <= rules.min => continue,
            None => {}
        }
        if token != END && !is_last {
            add_all(&grown, sum + log, (rules, beam, required), all);
            continue;
        }
        let text = &grown[BEFORE.len()..];
        let uses = |form: &Vec<u32>| text.windows(form.len()).any(|run| run == form);
        if required.iter().all(|forms| forms.iter().any(uses)) {
            let score = (sum + log) / (text.len() as f64).powf(beam.length_penalty);
            all.insert(text.to_vec(), score);
        }
    }
}

#[test]
fn beams_for_all_find_all() {
    let free = Rules {
        end: vec![END],
        min: 0,
        max: 5,
        no_repeat: 0,
        penalty: 1.0,
        forced_first: None,
        forced_last: None,
    };
    let rules = [
        free.clone(),
        Rules { min: 4, ..free.clone() },
        Rules { no_repeat: 2, ..free.clone() },
        Rules { no_repeat: 1, min: 2, ..free.clone() },
        Rules { forced_last: Some(END), penalty: 1.3, ..free },
    ];
    // One word in two forms; words of which one begins as another ends; a word that goes on as what stands before begins.
    let words: [Required; 4] = [
        vec![vec![vec![1, 2], vec![3]]],
        vec![vec![vec![1, 2]], vec![vec![2, 3], vec![4, 4]]],
        vec![vec![vec![2]], vec![vec![4]]],
        vec![vec![vec![1, 2, 1]], vec![vec![2, 1], vec![3, 1]]],
    ];
    let mut seen = 0;
    for (rules, required) in rules.iter().flat_map(|rules| words.iter().map(move |w| (rules, w))) {
        for length_penalty in [1.0, 0.0, -1.0, 2.0] {
            let early_stopping = EarlyStopping::default();
            let beam = |beams| Beam { beams, length_penalty, early_stopping };
            let mut all = BTreeMap::new();
            add_all(&BEFORE, 0.0, (rules, beam(0), required), &mut all);
            let what = format!("{rules:?}, {required:?}, {length_penalty}");
            let check = |found: &[Written]| {
                for one in found {
                    let score = *all.get(&one.tokens).unwrap_or(&f64::NAN);
                    let near = (one.score - score).abs() < 1e-5 * (1.0 + score.abs());
                    assert!(near, "{what}: {one:?} has {score}");
                }
                assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score), "{what}");
                let texts: BTreeSet<&Vec<u32>> = found.iter().map(|one| &one.tokens).collect();
                assert_eq!(texts.len(), found.len(), "{what}: one was found twice");
            };
            let found_all = found(rules, beam(2000), required);
            check(&found_all);
            assert_eq!(found_all.len(), all.len(), "{what}");
            let best = all.iter().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(text, _)| text);
            assert_eq!(found_all.first().map(|one| &one.tokens), best, "{what}");
            // Fewer beams find some of them.
            let some = found(rules, beam(6), required);
            assert!(!some.is_empty() && some.len() <= 6 || all.is_empty(), "{what}");
            check(&some);
            seen += all.len();
        }
    }
    assert!(seen > 5000, "{seen} texts");
}
