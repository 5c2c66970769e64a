//! Long generations that go on where they were killed.

use super::{Candidate, Generator, Prompt, Unmeetable};
use crate::Decoding;
use ko_eval_core::{Error, Fingerprint, Result};
use ko_eval_io::{Progress, files::FolderLock};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    path::Path,
    time::Instant,
};

/// Prompts between two records: what a kill costs at most.
const CHUNK: usize = 64;

/// The file of records.
const NAME: &str = "candidates.jsonl";

/// What the records belong to; the file's first line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    signature: String,
    prompts: String,
}

/// The candidates of one prompt.
#[derive(Serialize, Deserialize)]
struct Record {
    digest: String,
    candidates: Vec<Candidate>,
}

/// The candidates of all prompts, as [`Generator::generate`] gives them, written down in `folder` on the way: after a kill the same call goes
/// on where it was, to the same candidates. Without a folder nothing is kept. A record that is damaged, and what follows it, is made again. `progress` hears of every prompt, and how many tokens of
/// the best candidates are written a second.
///
/// ```
/// use ko_eval_io::bridge::Program;
/// use ko_eval_model::{Decoding, GeneratorBridge, Prompt, generate::generate_kept};
///
/// # #[cfg(unix)] {
/// # let folder = tempfile::tempdir()?;
/// let script = r#"while read -r line; do printf '%s 먹었다.\n\n' "$line"; done"#;
/// let generator = GeneratorBridge::new(Program::new("sh").args(["-c", script]))?;
/// let prompts = [Prompt::new("밥을"), Prompt::new("국을")];
/// let answers = generate_kept(&generator, &prompts, &Decoding::greedy(9), Some(folder.path()), &())?;
/// assert_eq!(answers[1][0].text, "국을 먹었다.");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The generator's; a folder that another process uses, or that holds another generation.
pub fn generate_kept(
    generator: &dyn Generator,
    prompts: &[Prompt<'_>],
    decoding: &Decoding,
    folder: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Candidate>>> {
    decoding.check()?;
    let _held = folder.map(FolderLock::take).transpose()?;
    let all = prompts.iter().fold(Fingerprint::new(), |digest, prompt| written(digest, prompt));
    let signature = decoding.sign(generator.signature()).to_string();
    let head = Head { signature, prompts: all.short() };
    let (mut answers, mut records) = match folder.map(|folder| folder.join(NAME)) {
        Some(path) => {
            let answers = read(&path, &head, prompts)?;
            let file = rewrite(&path, &head, prompts, &answers)?;
            (answers, Some((file, path)))
        }
        None => (Vec::new(), None),
    };
    progress.begin("generate", Some(prompts.len() as u64));
    progress.advance(answers.len() as u64);
    let (start, mut tokens) = (Instant::now(), 0);
    while let Some(rest) = prompts.get(answers.len()..).filter(|rest| !rest.is_empty()) {
        let some = rest.get(..CHUNK.min(rest.len())).unwrap_or_default();
        // A prompt is known by its place among all.
        let placed = |error| match error {
            Error::Unmeetable { prompt, reason } => {
                Error::Unmeetable { prompt: answers.len() + prompt, reason }
            }
            error => error,
        };
        let new = generator.generate(some, decoding).map_err(placed)?;
        for (prompt, candidates) in some.iter().zip(&new) {
            if let Some(best) = candidates.first() {
                tokens += generator.count_tokens(&best.text)?;
            }
            if let Some((file, path)) = &mut records {
                append(file, path, prompt, candidates)?;
            }
        }
        progress.advance(new.len() as u64);
        let rate = tokens as f64 / start.elapsed().as_secs_f64().max(1e-9);
        progress.note(&format!("{rate:.0} tokens/s"));
        if new.len() != some.len() {
            let what = format!("{} answers to {} prompts", new.len(), some.len());
            return Err(Error::invalid("generator", "answers", what, "one list for each prompt"));
        }
        answers.extend(new);
    }
    Ok(answers)
}

fn written(digest: Fingerprint, prompt: &Prompt<'_>) -> Fingerprint {
    let forms = prompt.required.iter().map(|forms| forms.join("\u{1f}"));
    let digest = forms.fold(digest.text(&prompt.text), |digest, forms| digest.text(&forms));
    match prompt.unmeetable {
        Unmeetable::Error => digest.text("\n"),
        Unmeetable::Free => digest.text("or freely\n"),
    }
}

fn digest(prompt: &Prompt<'_>, candidates: &[Candidate]) -> String {
    let digest = written(Fingerprint::new(), prompt);
    let digest = candidates.iter().fold(digest, |digest, candidate| {
        let score = candidate.score.map_or(String::new(), |score| score.to_string());
        digest.text(&candidate.text).text(&score)
    });
    digest.short()
}

/// What a killed generation left, as far as it is whole.
fn read(path: &Path, head: &Head, prompts: &[Prompt<'_>]) -> Result<Vec<Vec<Candidate>>> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read(path).map_err(|e| Error::io(path, e))?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines();
    match lines.next().map(serde_json::from_str::<Head>) {
        Some(Ok(found)) if found == *head => {}
        Some(Ok(_)) => {
            let reason = "it holds another generation (other prompts, settings or model); remove it to start anew";
            return Err(Error::Damaged { path: path.into(), reason: reason.into() });
        }
        _ => return Ok(Vec::new()),
    }
    let whole = lines.zip(prompts).map_while(|(line, prompt)| {
        let record: Record = serde_json::from_str(line).ok()?;
        (digest(prompt, &record.candidates) == record.digest).then_some(record.candidates)
    });
    let mut whole: Vec<_> = whole.collect();
    // A model's last digits depend on which prompts it sees together, so that it sees those again that it would have seen.
    if whole.len() < prompts.len() {
        whole.truncate(whole.len() / CHUNK * CHUNK);
    }
    Ok(whole)
}

/// The file with what is whole in it, open for more. It takes the old one's place at once, so that a kill here costs nothing.
fn rewrite(
    path: &Path,
    head: &Head,
    prompts: &[Prompt<'_>],
    answers: &[Vec<Candidate>],
) -> Result<File> {
    let mut text = serde_json::to_string(head).map_err(Error::other)? + "\n";
    for (prompt, candidates) in prompts.iter().zip(answers) {
        text += &record(prompt, candidates)?;
    }
    ko_eval_io::files::write_atomically(path, text.as_bytes())?;
    OpenOptions::new().append(true).open(path).map_err(|e| Error::io(path, e))
}

fn append(
    file: &mut File,
    path: &Path,
    prompt: &Prompt<'_>,
    candidates: &[Candidate],
) -> Result<()> {
    file.write_all(record(prompt, candidates)?.as_bytes()).map_err(|e| Error::io(path, e))
}

/// The line of one prompt.
fn record(prompt: &Prompt<'_>, candidates: &[Candidate]) -> Result<String> {
    let record = Record { digest: digest(prompt, candidates), candidates: candidates.to_vec() };
    Ok(serde_json::to_string(&record).map_err(Error::other)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_eval_core::{Signature, Signed};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts its prompts, and fails at one of them as if the process were killed there.
    #[derive(Debug)]
    struct Counting {
        asked: AtomicUsize,
        fails_at: usize,
    }

    impl Signed for Counting {
        fn signature(&self) -> Signature {
            Signature::new("counting")
        }
    }

    impl Generator for Counting {
        fn generate(&self, prompts: &[Prompt<'_>], _: &Decoding) -> Result<Vec<Vec<Candidate>>> {
            let before = self.asked.fetch_add(prompts.len(), Ordering::Relaxed);
            if before + prompts.len() > self.fails_at {
                return Err(Error::EmptyCorpus);
            }
            let answer =
                |p: &Prompt<'_>| vec![Candidate { text: format!("{}!", p.text), score: Some(0.1) }];
            Ok(prompts.iter().map(answer).collect())
        }
    }

    /// Finds no answer to one of its prompts.
    #[derive(Debug)]
    struct Stuck;

    impl Signed for Stuck {
        fn signature(&self) -> Signature {
            Signature::new("stuck")
        }
    }

    impl Generator for Stuck {
        fn generate(&self, prompts: &[Prompt<'_>], _: &Decoding) -> Result<Vec<Vec<Candidate>>> {
            match prompts.iter().position(|prompt| prompt.text == "막힌 글") {
                Some(place) => {
                    Err(Error::Unmeetable { prompt: place + 1, reason: "없음".into() })
                }
                None => Ok(vec![Vec::new(); prompts.len()]),
            }
        }
    }

    #[test]
    fn a_prompt_is_named_by_its_place_among_all() {
        let mut prompts = vec![Prompt::new("글"); 2 * CHUNK];
        prompts[CHUNK + 6] = Prompt::new("막힌 글");
        let error = generate_kept(&Stuck, &prompts, &Decoding::greedy(5), None, &()).unwrap_err();
        assert_eq!(error.to_string(), format!("prompt {}: 없음", CHUNK + 7));
    }

    fn counting(fails_at: usize) -> Counting {
        Counting { asked: AtomicUsize::new(0), fails_at }
    }

    #[test]
    fn a_killed_generation_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let texts: Vec<String> = (0..200).map(|n| format!("글 {n}")).collect();
        let prompts: Vec<Prompt<'_>> =
            texts.iter().map(|text| Prompt::new(text.as_str())).collect();
        let run = |generator: &Counting, decoding: &Decoding| {
            generate_kept(generator, &prompts, decoding, Some(folder.path()), &())
        };
        let decoding = Decoding::greedy(5);
        assert!(run(&counting(130), &decoding).is_err());
        // The last record is cut short, as by a kill.
        let path = folder.path().join(NAME);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 1 + 2 * CHUNK);
        fs::write(&path, &text[..text.len() - 5]).unwrap();
        let second = counting(usize::MAX);
        let answers = run(&second, &decoding).unwrap();
        assert_eq!(second.asked.into_inner(), 200 - CHUNK, "as many at a time as before");
        assert_eq!(answers.len(), 200);
        assert_eq!(answers[127][0].text, "글 127!");
        let error = run(&counting(0), &Decoding::greedy(6)).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
        // A record that somebody changed is made again.
        let changed = fs::read_to_string(&path).unwrap().replace("글 199!", "글 백!");
        fs::write(&path, changed).unwrap();
        assert_eq!(run(&counting(8), &decoding).unwrap()[199][0].text, "글 199!");
    }
}
