//! One token after the other: the likeliest, or one that is drawn.

use super::{
    Written,
    rules::{Rules, narrow},
    session::Session,
};
use crate::{
    error::Result,
    model::{
        numbers,
        place::{Place, whole_numbers},
        tokenizer::TokenIds,
        writer::Writer,
    },
};
use ko_eval_core::Fingerprint;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tch::{Kind, Tensor};

/// How the next token is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Choice {
    Likeliest,
    Drawn { temperature: f64, top_k: usize, top_p: f64, seed: u64, times: usize },
}

/// One text that grows.
#[derive(Debug)]
struct Row {
    prompt: usize,
    tokens: Vec<u32>,
    /// The sum of log-probabilities.
    sum: f64,
    rng: Option<ChaCha8Rng>,
}

/// The answers of every prompt, best first; scores are mean log-probabilities. A text that no token may follow is given up, as a search by
/// beams gives it up: a prompt has no answer if all of its texts are.
pub(crate) fn step_by_step(
    writer: &Writer,
    prompts: &[&TokenIds],
    start: Option<u32>,
    rules: &Rules,
    choice: Choice,
) -> Result<Vec<Vec<Written>>> {
    let (mut session, mut logits, before) = Session::start(writer, prompts, start)?;
    let begun: Vec<usize> = before.iter().map(Vec::len).collect();
    let times = match choice {
        Choice::Likeliest => 1,
        Choice::Drawn { times, .. } => times,
    };
    let rows = before.iter().zip(prompts).enumerate().flat_map(|(prompt, (tokens, ids))| {
        (0..times).map(move |time| {
            let rng = match choice {
                Choice::Likeliest => None,
                Choice::Drawn { seed, .. } => Some(draws(seed, ids, time)),
            };
            Row { prompt, tokens: tokens.clone(), sum: 0.0, rng }
        })
    });
    let mut rows: Vec<Row> = rows.collect();
    if times > 1 {
        // Rows of one prompt end one by one, so each has a copy of what was read.
        let each = (0i64..).take(prompts.len()).flat_map(|p| std::iter::repeat_n(p, times));
        let each: Vec<i64> = each.collect();
        session.keep_rows(&each)?;
        session.keep_prompts(&each)?;
        logits = logits.f_index_select(0, &Place::of(&logits).tensor(&each)?)?;
    }
    let mut answers: Vec<Vec<Written>> = vec![Vec::new(); prompts.len()];
    for new in 0..rules.max {
        let likely = logits.f_log_softmax(-1, Kind::Float)?;
        let before: Vec<&[u32]> = rows.iter().map(|row| row.tokens.as_slice()).collect();
        let scores = rules.apply(logits, &before, new)?;
        let tokens = match choice {
            Choice::Likeliest => likeliest(&scores)?,
            Choice::Drawn { temperature, top_k, top_p, .. } => {
                drawn(&narrow(&scores, temperature, top_k, top_p)?, &mut rows)?
            }
        };
        let at: Vec<i64> = tokens.iter().map(|token| token.unwrap_or(0)).collect();
        let at = Place::of(&likely).tensor(&at)?.f_unsqueeze(1)?;
        let logs = numbers(&likely.f_gather(1, &at, false)?)?;
        let were = rows.len();
        let (mut kept, mut still) = (Vec::new(), Vec::new());
        for (place, ((mut row, token), log)) in rows.into_iter().zip(tokens).zip(logs).enumerate() {
            let Some(token) = token.and_then(|token| u32::try_from(token).ok()) else { continue };
            row.tokens.push(token);
            row.sum += f64::from(log);
            if !rules.ends(token) && new + 1 < rules.max {
                kept.push(place as i64);
                still.push(row);
                continue;
            }
            let begun = begun.get(row.prompt).copied().unwrap_or(0);
            let tokens = row.tokens.split_off(begun.min(row.tokens.len()));
            let score = row.sum / tokens.len().max(1) as f64;
            let answer = answers.get_mut(row.prompt);
            answer.into_iter().for_each(|all| all.push(Written { tokens: tokens.clone(), score }));
        }
        rows = still;
        if rows.is_empty() {
            break;
        }
        if rows.len() < were {
            session.keep_rows(&kept)?;
            session.keep_prompts(&kept)?;
        }
        let last = |row: &Row| row.tokens.last().map_or(0, |&token| i64::from(token));
        logits = session.step(&rows.iter().map(last).collect::<Vec<_>>())?;
    }
    for all in &mut answers {
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    Ok(answers)
}

/// Draws that follow from the seed, the prompt and which draw it is: whatever else is in a batch, they are the same.
fn draws(seed: u64, prompt: &TokenIds, time: usize) -> ChaCha8Rng {
    let ids: Vec<u8> = prompt.ids.iter().flat_map(|id| id.to_le_bytes()).collect();
    let digest = Fingerprint::new().bytes(&ids).hex();
    let stream = digest.get(..16).map_or(0, |digits| u64::from_str_radix(digits, 16).unwrap_or(0));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream.wrapping_add(time as u64));
    rng
}

/// The likeliest token of every row; none where all are forbidden.
fn likeliest(scores: &Tensor) -> Result<Vec<Option<i64>>> {
    let (best, tokens) = scores.f_max_dim(1, false)?;
    let best = numbers(&best)?.into_iter();
    let allowed = |(token, best)| (best != f32::NEG_INFINITY).then_some(token);
    Ok(whole_numbers(&tokens)?.into_iter().zip(best).map(allowed).collect())
}

/// A token for every row, each as likely as its score says; none where all are forbidden.
fn drawn(scores: &Tensor, rows: &mut [Row]) -> Result<Vec<Option<i64>>> {
    let tokens = usize::try_from(scores.size2()?.1).unwrap_or(1).max(1);
    let shares = numbers(&scores.f_softmax(-1, Kind::Float)?)?;
    let draw = |(shares, row): (&[f32], &mut Row)| {
        let whole: f64 = shares.iter().map(|&share| f64::from(share)).sum();
        let unit =
            row.rng.as_mut().map_or(0.0, |rng| (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64);
        let mut left = unit * whole;
        let hit = shares.iter().position(|&share| {
            left -= f64::from(share);
            left < 0.0
        });
        // The last one that can be, should rounding leave a little.
        let last = || shares.iter().rposition(|&share| share > 0.0).unwrap_or(0);
        // Of nothing there are no shares: they are no numbers.
        whole.is_finite().then(|| hit.unwrap_or_else(last) as i64)
    };
    Ok(shares.chunks(tokens).zip(rows).map(draw).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::generation::drawn_from::chi_square;

    /// Rows that draw by these seeds, each so many times.
    fn rows(seeds: std::ops::Range<u64>, times: usize) -> Vec<Row> {
        let prompt = TokenIds { ids: vec![5, 6, 2], types: vec![0; 3], special: vec![false; 3] };
        let of = |seed| (0..times).map(move |time| (seed, time));
        let row = |(seed, time)| Row {
            prompt: 0,
            tokens: Vec::new(),
            sum: 0.0,
            rng: Some(draws(seed, &prompt, time)),
        };
        seeds.flat_map(of).map(row).collect()
    }

    /// Over seeds and over the draws of one seed, tokens come as often as they are likely; of 30,000 such samples one would be farther off.
    #[test]
    fn draws_are_as_frequent_as_they_are_likely() {
        let shares = [0.5, 0.25, 0.0, 0.15, 0.07, 0.03];
        for mut rows in [rows(0..6000, 1), rows(7..8, 6000), rows(0..60, 100)] {
            let scores = Tensor::from_slice(&shares.map(|share: f64| share.ln() as f32));
            let scores = scores.view([1, 6]).expand([rows.len() as i64, 6], false);
            let mut counts = [0.0; 6];
            for token in drawn(&scores, &mut rows).unwrap() {
                counts[usize::try_from(token.unwrap()).unwrap()] += 1.0;
            }
            let (distance, bound) = chi_square(&counts, &shares);
            assert!(distance < bound, "{counts:?}: {distance} of {bound}");
            // Other shares would be noticed.
            let (distance, bound) = chi_square(&counts, &[0.5, 0.25, 0.0, 0.15, 0.05, 0.05]);
            assert!(distance > bound, "{counts:?}: {distance} of {bound}");
        }
    }

    #[test]
    fn nothing_follows_where_all_is_forbidden() {
        let never = f32::NEG_INFINITY;
        let scores = Tensor::from_slice(&[never, -2.0, never, never]).view([2, 2]);
        assert_eq!(likeliest(&scores).unwrap(), [Some(1), None]);
        assert_eq!(drawn(&scores, &mut rows(0..2, 1)).unwrap(), [Some(1), None]);
    }
}
