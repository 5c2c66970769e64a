//! From tokens to tokens: what is checked before a model runs, and which prompts it is given together.

use super::{TextGenerator, no_room, too_long};
use crate::{
    error::{Error, Result},
    model::{
        generation::{self, Beam, Choice, Required, Rules, Written},
        tokenizer::TokenIds,
    },
};
use ko_eval_model::{Decoding, Search, Unmeetable};

impl TextGenerator {
    fn rules(&self, decoding: &Decoding) -> Result<Rules> {
        let forced_first = match &decoding.first_token {
            Some(token) if !self.reads => {
                let expected = "none: a model without an encoder continues the prompt's own tokens";
                return Err(Error::setting("the first token", token, expected));
            }
            Some(token) => match self.tokenizer.id(token) {
                Some(id) => Some(id),
                None => return Err(Error::UnknownToken { token: token.clone() }),
            },
            None => self.marks.forced_first,
        };
        Ok(Rules {
            end: self.marks.end.clone(),
            min: decoding.min_tokens,
            max: decoding.max_tokens,
            no_repeat: decoding.no_repeat_ngram,
            penalty: decoding.repetition_penalty,
            forced_first,
            forced_last: self.marks.forced_last,
        })
    }

    /// Whether there is room for what is read and for what is to be written.
    fn check_room(&self, prompts: &[TokenIds], rules: &Rules) -> Result<()> {
        for (number, prompt) in (1..).zip(prompts) {
            if prompt.ids.is_empty() && !self.reads {
                let reason = "a model without an encoder continues a text, and this one is empty";
                return Err(Error::Unmeetable { prompt: number, reason: reason.into() });
            }
            let (read, written) = self.longest;
            let (len, room) = (prompt.len(), self.room(rules.max));
            match self.reads {
                false if len > room => return Err(no_room(len, room, rules.max).into()),
                true if len > read => return Err(too_long(len, read).into()),
                // What starts a text takes a place as well.
                true if room == 0 => return Err(too_long(1 + rules.max, 1 + written).into()),
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn write(
        &self,
        prompts: &[TokenIds],
        required: &[(Required, Unmeetable)],
        decoding: &Decoding,
    ) -> Result<Vec<Vec<Written>>> {
        decoding.check().map_err(ko_eval_core::Error::from)?;
        let rules = self.rules(decoding)?;
        self.check_room(prompts, &rules)?;
        let beam = match decoding.search {
            Search::Beam { beams, length_penalty, early_stopping } => {
                Some(Beam { beams, length_penalty, early_stopping })
            }
            _ => None,
        };
        let mut required = required.to_vec();
        for (prompt, (words, otherwise)) in (1..).zip(&mut required) {
            if !words.is_empty() && beam.is_none() {
                let reason = "words that must be used need a beam search".into();
                return Err(Error::Unmeetable { prompt, reason });
            }
            match (generation::check(words, &rules), *otherwise) {
                (Ok(()), _) => {}
                (Err(_), Unmeetable::Free) => words.clear(),
                (Err(reason), Unmeetable::Error) => {
                    return Err(Error::Unmeetable { prompt, reason });
                }
            }
        }
        let start = self.marks.start;
        let alone: Vec<bool> = required.iter().map(|(words, _)| !words.is_empty()).collect();
        let lengths: Vec<usize> = prompts.iter().map(TokenIds::len).collect();
        let jobs = together(
            &lengths,
            &alone,
            Room {
                tokens: self.inference.batch_tokens,
                rows: decoding.beams().max(decoding.candidates).max(1),
                threads: self.replicas.count(),
            },
        );
        let written = self.replicas.run(&jobs, |writer, job| {
            let texts: Vec<&TokenIds> = job.iter().filter_map(|&p| prompts.get(p)).collect();
            let words =
                job.first().and_then(|&p| required.get(p)).filter(|(words, _)| !words.is_empty());
            match (words, beam, decoding.search) {
                (Some((words, otherwise)), Some(beam), _) => {
                    let text = texts.first().copied();
                    let text =
                        text.ok_or_else(|| Error::Operation("a prompt went missing".into()))?;
                    let written =
                        generation::constrained(writer, text, start, &rules, beam, words)?;
                    if written.is_empty() && *otherwise == Unmeetable::Free {
                        return generation::beam(writer, &texts, start, &rules, beam);
                    }
                    if written.is_empty() {
                        let prompt = job.first().map_or(0, |&p| p + 1);
                        let reason =
                            "no answer with all words was found; take more beams or tokens".into();
                        return Err(Error::Unmeetable { prompt, reason });
                    }
                    Ok(vec![written])
                }
                (_, Some(beam), _) => generation::beam(writer, &texts, start, &rules, beam),
                (_, None, Search::Sample { temperature, top_k, top_p, seed }) => {
                    let times = decoding.candidates;
                    let choice = Choice::Drawn { temperature, top_k, top_p, seed, times };
                    generation::step_by_step(writer, &texts, start, &rules, choice)
                }
                _ => generation::step_by_step(writer, &texts, start, &rules, Choice::Likeliest),
            }
        })?;
        let mut answers = vec![Vec::new(); prompts.len()];
        for (&prompt, mut all) in jobs.iter().flatten().zip(written.into_iter().flatten()) {
            if all.is_empty() {
                let reason = "every answer came to where all tokens are forbidden; allow repetitions (no_repeat_ngram), or shorter answers (min_tokens, max_tokens)";
                return Err(Error::Unmeetable { prompt: prompt + 1, reason: reason.into() });
            }
            all.truncate(decoding.candidates);
            answers.get_mut(prompt).into_iter().for_each(|slot| *slot = std::mem::take(&mut all));
        }
        Ok(answers)
    }

    /// A required word's forms as tokens: each as it stands, and after a space.
    pub(super) fn forms(&self, forms: &[String]) -> ko_eval_core::Result<Vec<Vec<u32>>> {
        let mut all = Vec::new();
        for form in forms {
            for text in [form.clone(), format!(" {form}")] {
                let ids = self.tokenizer.bare(&text)?;
                let known = !ids.is_empty() && self.tokenizer.decode(&ids)?.trim() == form.trim();
                if known && !all.contains(&ids) {
                    all.push(ids);
                }
            }
        }
        Ok(all)
    }
}

/// How much goes together.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// The most tokens that are read together.
    tokens: usize,
    /// What is written per prompt.
    rows: usize,
    threads: usize,
}

/// Prompts that are written to together, by number: of like length, as many as fit into a batch; one that must be `alone` by itself.
fn together(lengths: &[usize], alone: &[bool], room: Room) -> Vec<Vec<usize>> {
    let length = |prompt: usize| lengths.get(prompt).copied().unwrap_or(0);
    let alone = |prompt: usize| alone.get(prompt).is_some_and(|alone| *alone);
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&prompt| std::cmp::Reverse(length(prompt)));
    let mut jobs: Vec<Vec<usize>> = Vec::new();
    // Every thread has something to do. Half as many rows as there would be tokens: ten beams of a small BART took a tenth less time so on
    // two Zen 4 cores, perhaps because keys and values of fewer rows stay in the caches.
    let most =
        (room.tokens / 2 / room.rows).clamp(1, lengths.len().div_ceil(room.threads.max(1)).max(1));
    // The longest comes first, and all are read as long as it.
    let fits = |job: &[usize]| {
        let longest = job.first().map_or(0, |&prompt| length(prompt));
        job.len() < most && (job.len() + 1) * longest <= room.tokens
    };
    for prompt in order {
        match jobs.last_mut() {
            Some(job) if fits(job) && !alone(prompt) && !job.iter().any(|&p| alone(p)) => {
                job.push(prompt);
            }
            _ => jobs.push(vec![prompt]),
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_bounded_in_tokens_and_in_rows() {
        let room = Room { tokens: 512, rows: 10, threads: 2 };
        // Short prompts by their rows, as measured.
        let jobs = together(&[16; 256], &[], room);
        assert!(jobs.iter().rev().skip(1).all(|job| job.len() == 25), "{jobs:?}");
        // Long ones by their tokens, but never none at all.
        let lengths: Vec<usize> = (0..64).map(|n| 100 + 10 * n).collect();
        for job in together(&lengths, &[], Room { rows: 1, ..room }) {
            let longest = job.iter().map(|&prompt| lengths[prompt]).max().unwrap();
            assert!(job.len() == 1 || job.len() * longest <= 512, "{job:?}");
        }
        let alone = together(&[5; 4], &[false, true, false, false], Room { threads: 1, ..room });
        assert_eq!(alone, [vec![0], vec![1], vec![2, 3]]);
    }
}
