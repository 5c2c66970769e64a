//! Jobs that can be resumed, small enough to be killed many times.

use super::{command, sample};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Something that writes to a folder and goes on where it was stopped.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    line: String,
    inputs: Vec<PathBuf>,
    /// A file that tells that all is done; then it is not run again.
    done: Option<&'static str>,
    /// What it writes into the folder, if it writes one file.
    file: Option<&'static str>,
}

impl Job {
    pub(crate) fn new(name: &'static str, line: impl Into<String>, inputs: &[PathBuf]) -> Self {
        Self { name, line: line.into(), inputs: inputs.to_vec(), done: None, file: None }
    }

    /// The same, refused where this file is.
    pub(crate) fn done_by(self, file: &'static str) -> Self {
        Self { done: Some(file), ..self }
    }

    /// The same, writing this file of the folder instead of all of it.
    pub(crate) fn writes(self, file: &'static str) -> Self {
        Self { file: Some(file), ..self }
    }

    fn is_done(&self, folder: &Path) -> bool {
        self.done.is_some_and(|file| folder.join(file).exists())
    }

    /// The job with its results in this folder, not started yet.
    pub(crate) fn command(&self, folder: &Path) -> Command {
        let mut paths: Vec<&Path> = self.inputs.iter().map(PathBuf::as_path).collect();
        let output = match self.file {
            Some(file) => {
                fs::create_dir_all(folder).unwrap();
                folder.join(file)
            }
            None => folder.to_owned(),
        };
        paths.push(&output);
        command(&format!("{} --output {{}}", self.line), &paths)
    }

    /// Runs it to its end.
    pub(crate) fn finish(&self, folder: &Path) {
        if self.is_done(folder) {
            return;
        }
        let output = self.command(folder).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {told}", self.name);
    }

    /// Kills it `kills` times at night and a few times otherwise, each at a random moment, up to five times in a row on
    /// one folder; then it is run to its end, and `results` must be those of a run that nobody disturbed.
    #[cfg(unix)]
    pub(crate) fn survives<R: PartialEq>(
        &self,
        kills: usize,
        seed: u64,
        results: impl Fn(&Path) -> R,
    ) {
        use std::os::unix::process::ExitStatusExt;
        let kills = ko_eval_testing::cases(3, kills);
        let desk = tempfile::tempdir().unwrap();
        let whole = desk.path().join("whole");
        let start = Instant::now();
        self.finish(&whole);
        let mut takes = start.elapsed();
        let expected = results(&whole);
        let (mut chance, mut killed, mut round) = (seed, 0, 0);
        while killed < kills {
            round += 1;
            assert!(round <= 10 * kills, "{}: only {killed} were killed", self.name);
            let folder = desk.path().join(format!("killed-{round}"));
            for _ in 0..5 {
                if self.is_done(&folder) {
                    break;
                }
                chance = next(chance);
                let mut child = self.command(&folder).spawn().unwrap();
                // No event to wait for: that it may be killed at any moment is what is tested.
                std::thread::sleep(moment(takes, chance));
                // It may have ended by itself.
                let _ = child.kill();
                let output = child.wait_with_output().unwrap();
                if output.status.signal() != Some(9) {
                    let told = String::from_utf8_lossy(&output.stderr);
                    assert!(output.status.success(), "{}: {told}", self.name);
                    // The first run was slower, on a busy machine: the next kill comes earlier.
                    takes = takes.mul_f64(0.8);
                    break;
                }
                takes = takes.mul_f64(1.02);
                killed += 1;
            }
            self.finish(&folder);
            assert!(results(&folder) == expected, "{}: round {round} of {seed}", self.name);
            fs::remove_dir_all(folder).unwrap();
        }
    }
}

/// Some moment of a job that takes so long.
fn moment(takes: Duration, chance: u64) -> Duration {
    takes.mul_f64((chance >> 11) as f64 / (1u64 << 53) as f64)
}

/// The next of a row of random numbers (SplitMix64).
pub(crate) fn next(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Files by their names.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// What lies in a folder and below; hidden files (locks) left out.
pub(crate) fn files(folder: &Path) -> Files {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        } else if path.is_dir() {
            let inner = files(&path).into_iter();
            found.extend(inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.push((name, fs::read(path).unwrap()));
        }
    }
    found.sort();
    found
}

/// Building a small data set of Korean CommonGen.
pub(crate) fn commongen(desk: &TempDir) -> Job {
    let captions = desk.path().join("captions.txt");
    let (who, what) =
        (["아이", "소녀", "강아지", "선생님", "할머니"], ["공을 찬다", "꽃을 본다", "책을 읽는다"]);
    let lines = (0..300).map(|n| {
        let place = ["공원", "마당", "교실", "시장", "부엌", "도서관", "길"][n % 7];
        format!("{}가 {place}에서 빨간 {}.\n", who[n % 5], what[n / 35 % 3])
    });
    fs::write(&captions, lines.collect::<String>()).unwrap();
    let line = "commongen build --captions {} --validation 3 --test 3";
    Job::new("commongen build", line, &[captions])
}

/// Probing for tense.
pub(crate) fn probe(desk: &TempDir) -> Job {
    let data = desk.path().join("data");
    fs::create_dir_all(&data).unwrap();
    let lines = (0..90).map(|n| {
        let part = ["tr", "tr", "tr", "va", "te"][n / 2 % 5];
        let (label, end) = if n % 2 == 0 { ("past", "왔다") } else { ("non-past", "온다") };
        format!("{part}\t{label}\t비가 {n}번 {end}.\n")
    });
    fs::write(data.join("Tense.txt"), lines.collect::<String>()).unwrap();
    Job::new("probe run", "probe run {} --embedder jamo", &[data])
}

/// Meta-evaluation of three systems.
pub(crate) fn meta() -> Job {
    let line = "meta --plan {} --unit word --unit char -m bleu:order=2 -m chrf -m ter -m ribes";
    Job::new("meta", line, &[sample("experiment.toml")])
}

/// Writing to many prompts by a program.
#[cfg(unix)]
pub(crate) fn generate(desk: &TempDir) -> Job {
    let prompts = desk.path().join("prompts.txt");
    fs::write(&prompts, (0..1000).map(|n| format!("글{n}\n")).collect::<String>()).unwrap();
    let line = "generate --program {} --candidates 2 --format json {}";
    Job::new("generate", line, &[writer(desk), prompts]).writes("texts.jsonl")
}

/// The same for concept sets.
#[cfg(unix)]
pub(crate) fn commongen_generate(desk: &TempDir) -> Job {
    let test = desk.path().join("test.jsonl");
    let item = |n| format!("{{\"concept-set\": \"집{n}#간\", \"scene\": [\"집{n}에 간다.\"]}}\n");
    fs::write(&test, (0..1000).map(item).collect::<String>()).unwrap();
    let line = "commongen generate --test {} --candidates 2 --program {}";
    Job::new("commongen generate", line, &[test, writer(desk)]).writes("offered.jsonl")
}

/// The command of a program that answers every line in two ways.
#[cfg(unix)]
fn writer(desk: &TempDir) -> PathBuf {
    let path = desk.path().join("write.sh");
    let script = "while read -r line; do printf -- '-1.5\\t%s 간다.\\n-2.25\\t비가 온다.\\n\\n' \"$line\"; done\n";
    fs::write(&path, script).unwrap();
    format!("sh {}", path.display()).into()
}

/// What a meta-evaluation found, without the time that it took.
pub(crate) fn meta_results(folder: &Path) -> (Vec<u8>, Vec<u8>, serde_json::Value) {
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let mut findings = serde_json::from_slice(&read("findings.json")).unwrap();
    without_times(&mut findings);
    (read("agreement.csv"), read("segments.csv"), findings)
}

fn without_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|key, _| !key.contains("seconds"));
            fields.values_mut().for_each(without_times);
        }
        serde_json::Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}
