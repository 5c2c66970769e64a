//! Beam search as transformers 5 does it.
//!
//! At each step the best continuations of all beginnings are ranked, twice as many as there are beams so that enough remain when some
//! end. Of the first `beams` those that end become answers, scored by the mean of their log-probabilities (to a power of the length); the
//! best that do not end go on. It stops when the running ones cannot beat the worst answer any more.

use super::{Written, greatest::greatest, rules::Rules, session::Session};
use crate::{
    error::Result,
    model::{
        numbers,
        place::{Place, whole_numbers},
        tokenizer::TokenIds,
        writer::Writer,
    },
};
use ko_eval_model::EarlyStopping;
use tch::{Kind, Tensor};

/// The settings of a beam search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Beam {
    pub(crate) beams: usize,
    pub(crate) length_penalty: f64,
    pub(crate) early_stopping: EarlyStopping,
}

impl Beam {
    /// What a sum of log-probabilities of so many tokens is divided by; single precision, as there.
    pub(crate) fn divisor(self, length: usize) -> f32 {
        (length as f64).powf(self.length_penalty) as f32
    }
}

/// A beginning that may go on.
#[derive(Debug, Clone)]
struct Running {
    /// All of it, what it started with included.
    tokens: Vec<u32>,
    score: f32,
    /// The row of the last step that it continues.
    parent: i64,
}

/// One prompt's search.
#[derive(Debug)]
struct Search {
    /// Which prompt.
    prompt: usize,
    running: Vec<Running>,
    /// Best first, at most as many as beams.
    found: Vec<(f32, Vec<u32>)>,
    /// Whether an answer can still be added.
    open: bool,
}

/// The answers of every prompt, best first.
pub(crate) fn beam(
    writer: &Writer,
    prompts: &[&TokenIds],
    start: Option<u32>,
    rules: &Rules,
    beam: Beam,
) -> Result<Vec<Vec<Written>>> {
    let (mut session, mut logits, before) = Session::start(writer, prompts, start)?;
    let begun: Vec<usize> = before.iter().map(Vec::len).collect();
    let first = |(prompt, tokens): (usize, Vec<u32>)| Search {
        prompt,
        running: vec![Running { tokens, score: 0.0, parent: 0 }],
        found: Vec::new(),
        open: true,
    };
    let mut searches: Vec<Search> = before.into_iter().enumerate().map(first).collect();
    let mut answers = vec![Vec::new(); prompts.len()];
    for new in 0..rules.max {
        let ranked = rank(&logits, &searches, rules, new, beam)?;
        let rows = searches.first().map_or(1, |search| search.running.len());
        let were = searches.len();
        let mut still = Vec::new();
        let mut kept = Vec::new();
        for (place, (mut search, ranked)) in searches.into_iter().zip(ranked).enumerate() {
            search.step(&ranked, rules, new, beam, (place * rows) as i64);
            if search.ends(rules, new, beam) {
                let begun = begun.get(search.prompt).copied().unwrap_or(0);
                let answer = answers.get_mut(search.prompt);
                answer.into_iter().for_each(|answer| *answer = search.written(begun));
            } else {
                kept.push(place as i64);
                still.push(search);
            }
        }
        searches = still;
        if searches.is_empty() {
            break;
        }
        if kept.len() < were {
            session.keep_prompts(&kept)?;
        }
        let running = || searches.iter().flat_map(|search| &search.running);
        session.keep_rows(&running().map(|one| one.parent).collect::<Vec<_>>())?;
        let last = |one: &Running| one.tokens.last().map_or(0, |&token| i64::from(token));
        logits = session.step(&running().map(last).collect::<Vec<_>>())?;
    }
    Ok(answers)
}

/// A continuation: its score, the place of its beginning among the running ones, its token.
type Ranked = (f32, usize, u32);

/// The best continuations of every search, best first.
fn rank(
    logits: &Tensor,
    searches: &[Search],
    rules: &Rules,
    new: usize,
    beam: Beam,
) -> Result<Vec<Vec<Ranked>>> {
    let log = logits.f_log_softmax(-1, Kind::Float)?;
    let running = || searches.iter().flat_map(|search| &search.running);
    let before: Vec<&[u32]> = running().map(|one| one.tokens.as_slice()).collect();
    let mut log = rules.apply(log, &before, new)?;
    let tokens = log.size2()?.1;
    let scores: Vec<f32> = running().map(|one| one.score).collect();
    let scores = Place::of(&log).tensor(&scores)?.f_unsqueeze(1)?;
    let all = log.f_add_(&scores)?.f_view([searches.len() as i64, -1])?;
    let wanted = beam.beams * (1 + rules.end.len()).max(2);
    let wanted = i64::try_from(wanted).unwrap_or(i64::MAX).min(all.size2()?.1);
    let (best, places) = greatest(&all, wanted)?;
    let chosen = whole_numbers(&places)?;
    let best = numbers(&best)?;
    let per_search = usize::try_from(wanted).unwrap_or(1).max(1);
    let ranked = best.chunks(per_search).zip(chosen.chunks(per_search)).map(|(scores, places)| {
        let one = |(&score, &place): (&f32, &i64)| {
            let (beginning, token) = (place / tokens, place % tokens);
            (score, usize::try_from(beginning).unwrap_or(0), u32::try_from(token).unwrap_or(0))
        };
        scores.iter().zip(places).map(one).collect()
    });
    Ok(ranked.collect())
}

impl Search {
    /// Goes on by one token; `first_row` is the row of this search's first running beginning.
    fn step(&mut self, ranked: &[Ranked], rules: &Rules, new: usize, beam: Beam, first_row: i64) {
        let length = new + 1;
        let is_full = self.found.len() == beam.beams;
        let closed = !self.open || (is_full && beam.early_stopping == EarlyStopping::Full);
        let mut running: Vec<Running> = Vec::with_capacity(beam.beams);
        for (rank, &(score, beginning, token)) in ranked.iter().enumerate() {
            let Some(parent) = self.running.get(beginning) else { continue };
            if score == f32::NEG_INFINITY {
                continue;
            }
            let ends = rules.ends(token) || length == rules.max;
            let grown = || {
                let mut tokens = parent.tokens.clone();
                tokens.push(token);
                tokens
            };
            if ends && rank < beam.beams && !closed {
                let score = score / beam.divisor(length);
                let place = self.found.partition_point(|(other, _)| *other >= score);
                self.found.insert(place, (score, grown()));
                self.found.truncate(beam.beams);
            } else if !ends && running.len() < beam.beams {
                running.push(Running {
                    tokens: grown(),
                    score,
                    parent: first_row + beginning as i64,
                });
            }
        }
        let best = running.first().map_or(f32::NEG_INFINITY, |one| one.score);
        let at = match beam.early_stopping {
            EarlyStopping::Never if beam.length_penalty > 0.0 => rules.max,
            _ => length,
        };
        if self.found.len() == beam.beams {
            let worst = self.found.last().map_or(f32::NEG_INFINITY, |(score, _)| *score);
            self.open &= best / beam.divisor(at) > worst;
        }
        // As many rows for every search; what fills up can never be chosen.
        while let Some(filler) = running.first().cloned().filter(|_| running.len() < beam.beams) {
            running.push(Running { score: f32::NEG_INFINITY, ..filler });
        }
        self.running = running;
    }

    /// Whether nothing is to be found any more.
    fn ends(&self, rules: &Rules, new: usize, beam: Beam) -> bool {
        let full = beam.early_stopping == EarlyStopping::Full && self.found.len() == beam.beams;
        !self.open || full || new + 1 == rules.max || self.running.is_empty()
    }

    /// The new tokens of the answers.
    fn written(&self, begun: usize) -> Vec<Written> {
        let written = |(score, tokens): &(f32, Vec<u32>)| Written {
            tokens: tokens.get(begun..).unwrap_or_default().to_vec(),
            score: f64::from(*score),
        };
        self.found.iter().map(written).collect()
    }
}
