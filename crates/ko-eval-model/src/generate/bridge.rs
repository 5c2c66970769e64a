//! A generator of somebody else: a line of text in, lines of candidates out.

use super::{Candidate, Generator, Prompt};
use crate::Decoding;
use ko_eval_core::{Error, Result, Signature, Signed};
use ko_eval_io::bridge::{Child, Pool, Program, line};

/// Generates by another program.
///
/// ```text
/// import sys
/// for prompt in sys.stdin:                                  # python3 my.py
///     for text, score in candidates(prompt.strip()):        # best first
///         print(f"{score}\t{text}")
///     print(flush=True)                                     # an empty line ends the answer
/// ```
///
/// A candidate is a line: a text, or a score, a tab and a text. An empty line ends the answer, which has at least one candidate and at
/// most as many as were asked for. What the program's own settings are, it knows itself: it is not told lengths or beams, and words that
/// must be used are refused. A program that ends or is late is started once more.
///
/// ```
/// # #[cfg(unix)] {
/// use ko_eval_io::bridge::Program;
/// use ko_eval_model::{Decoding, Generator, GeneratorBridge, Prompt};
///
/// let script = r#"while read -r line; do printf '%s\n-2.5\t%s\n\n' "$line 먹었다." "$line 먹는다."; done"#;
/// let bridge = GeneratorBridge::new(Program::new("sh").args(["-c", script]))?;
/// let answers = bridge.generate(&[Prompt::new("밥을")], &Decoding::beam(2, 8).with_candidates(2))?;
/// assert_eq!(answers[0][1].text, "밥을 먹는다.");
/// assert_eq!(answers[0][1].score, Some(-2.5));
/// # }
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct GeneratorBridge {
    pool: Pool,
}

impl GeneratorBridge {
    /// Starts the program. Of several prompts one is asked after the other, so one copy of it runs.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn new(program: Program) -> Result<Self> {
        let pool = Pool::new(program);
        let pool =
            pool.map_err(|error| Error::source("starting a program for candidates", error))?;
        Ok(Self { pool })
    }

    fn ask(&self, prompt: &Prompt<'_>, candidates: usize) -> Result<Vec<Candidate>> {
        if let Some(forms) = prompt.required.first() {
            let value = forms.join(" or ");
            return Err(Error::invalid(
                "bridge",
                "required",
                value,
                "nothing: programs choose themselves",
            ));
        }
        let line = line(&prompt.text);
        let talk = |child: &mut Child| {
            let lines = child.ask_lines(&line, candidates)?;
            if lines.is_empty() {
                return Err(child.nonsense("", "it offers no candidate".into()));
            }
            let read = |line: &String| candidate(line).map_err(|why| child.nonsense(line, why));
            lines.iter().map(read).collect()
        };
        let answer = self.pool.talk_again(talk);
        answer.map_err(|error| Error::source("asking a program for candidates", error))
    }
}

/// A line as a candidate.
fn candidate(line: &str) -> Result<Candidate, String> {
    let Some((score, text)) = line.split_once('\t') else {
        return Ok(Candidate { text: line.to_owned(), score: None });
    };
    let score = score.trim().parse::<f64>().ok().filter(|score| score.is_finite());
    let score = score.ok_or("before a tab stands the score, a number")?;
    Ok(Candidate { text: text.to_owned(), score: Some(score) })
}

impl Signed for GeneratorBridge {
    fn signature(&self) -> Signature {
        self.pool.program().sign(Signature::new("bridge"))
    }
}

impl Generator for GeneratorBridge {
    fn generate(&self, prompts: &[Prompt<'_>], decoding: &Decoding) -> Result<Vec<Vec<Candidate>>> {
        decoding.check()?;
        prompts.iter().map(|prompt| self.ask(prompt, decoding.candidates)).collect()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::error::Error as _;

    fn bridge(script: &str) -> GeneratorBridge {
        GeneratorBridge::new(Program::new("sh").args(["-c", script])).unwrap()
    }

    fn cause(script: &str, prompt: Prompt<'_>) -> String {
        let error = bridge(script).generate(&[prompt], &Decoding::greedy(5)).unwrap_err();
        error.source().map_or_else(|| error.to_string(), ToString::to_string)
    }

    #[test]
    fn an_answer_ends_with_an_empty_line() {
        let bridge = bridge("while read -r line; do printf '0.5\\t%s\\n둘\\n\\n' \"$line\"; done");
        let decoding = Decoding::beam(2, 9).with_candidates(2);
        let answers = bridge.generate(&[Prompt::new("가\t나"), Prompt::new("다")], &decoding);
        let answers = answers.unwrap();
        assert_eq!(answers[0][0], Candidate { text: "가 나".into(), score: Some(0.5) });
        assert_eq!(answers[1][0].text, "다");
        assert_eq!(answers[1][1], Candidate { text: "둘".into(), score: None });
    }

    #[test]
    fn what_is_no_answer_is_an_error_that_shows_it() {
        let answers = |text: &str| format!("while read -r line; do printf '{text}'; done");
        let prompt = || Prompt::new("가");
        assert!(cause(&answers("\\n"), prompt()).contains("it offers no candidate"));
        assert!(cause(&answers("a\\n둘\\n\\n"), prompt()).contains("`둘` is too much"));
        assert!(cause(&answers("x\\t둘\\n\\n"), prompt()).contains("the score, a number"));
        assert!(cause("read -r line; exit 3", prompt()).contains("instead of answering"));
        let refused = cause(&answers("a\\n\\n"), prompt().must_use(["공"]));
        assert!(refused.contains("`required` cannot be `공`"), "{refused}");
    }
}
