//! Real processes that are killed, run out of room, share a folder, or are told to write where it would do harm.

use crate::common::{
    command, failure,
    jobs::{self, Files, Job, files, meta_results},
    run_line, sample,
};
use ko_eval::files::FolderLock;
use ko_eval_testing::cases;
use std::{
    fs,
    os::unix::fs::{FileTypeExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// How often each job is killed.
const KILLS: usize = 50;

#[test]
fn a_killed_build_of_commongen_goes_on_to_the_same_files() {
    let desk = tempfile::tempdir().unwrap();
    jobs::commongen(&desk).survives(KILLS, 1, files);
}

#[test]
fn a_killed_probe_goes_on_to_the_same_files() {
    let desk = tempfile::tempdir().unwrap();
    jobs::probe(&desk).survives(KILLS, 2, files);
}

#[test]
fn a_killed_meta_evaluation_goes_on_to_the_same_figures() {
    jobs::meta().survives(KILLS, 3, meta_results);
}

#[test]
fn a_killed_generation_goes_on_to_the_same_texts() {
    let desk = tempfile::tempdir().unwrap();
    jobs::generate(&desk).survives(KILLS, 5, files);
    jobs::commongen_generate(&desk).survives(KILLS, 6, files);
}

/// Two at once: each works alone, or says who holds the folder; what is left is as if there had been one.
fn shared<R: PartialEq>(job: &Job, results: impl Fn(&Path) -> R) {
    let desk = tempfile::tempdir().unwrap();
    let (whole, folder) = (desk.path().join("whole"), desk.path().join("shared"));
    job.finish(&whole);
    for round in 0..cases(1, 3) {
        let mut two =
            [job.command(&folder).spawn().unwrap(), job.command(&folder).spawn().unwrap()];
        two.iter_mut().for_each(|child| drop(child.stdin.take()));
        let mut worked = 0;
        for child in two {
            let output = child.wait_with_output().unwrap();
            match output.status.success() {
                true => worked += 1,
                false => {
                    let message = failure(&output);
                    assert!(message.contains(" is in use by "), "{}: {message}", job.name);
                }
            }
        }
        assert!(worked > 0, "{}: somebody must work", job.name);
        assert!(results(&folder) == results(&whole), "{}: round {round}", job.name);
        fs::remove_dir_all(&folder).unwrap();
    }
    let held = FolderLock::take(&folder).unwrap();
    let message = failure(&job.command(&folder).output().unwrap());
    let holder = format!("in use by process {} ", std::process::id());
    assert!(message.contains(&holder), "{}: {message}", job.name);
    drop(held);
    job.finish(&folder);
    assert!(results(&folder) == results(&whole), "{}", job.name);
}

#[test]
fn two_processes_on_one_folder_do_not_harm_each_other() {
    let desk = tempfile::tempdir().unwrap();
    shared(&jobs::commongen(&desk), files);
    shared(&jobs::probe(&desk), files);
    shared(&jobs::meta(), meta_results);
}

/// The same command where no file may grow beyond so many blocks of 512 bytes: what a full disk does to a writer.
fn limited(job: &Command, blocks: usize) -> Command {
    let mut limited = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    limited.arg("-c").arg(script).arg(job.get_program()).args(job.get_args());
    limited.stdin(Stdio::null());
    limited
}

/// Half-written files that somebody may take for whole ones.
fn drafts(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().ends_with(".part")).collect()
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing_half_written() {
    let desk = tempfile::tempdir().unwrap();
    let check = |job: &Job, results: &dyn Fn(&Path) -> Files| {
        let whole = desk.path().join(job.name);
        job.finish(&whole);
        let folder = desk.path().join("full");
        for blocks in [1, 4, 16] {
            let output = limited(&job.command(&folder), blocks).output().unwrap();
            let message = failure(&output);
            assert!(message.contains("File too large"), "{}: {message}", job.name);
            assert_eq!(drafts(&folder), [""; 0].map(PathBuf::from), "{}", job.name);
        }
        job.finish(&folder);
        assert!(results(&folder) == results(&whole), "{}", job.name);
        fs::remove_dir_all(&folder).unwrap();
    };
    check(&jobs::commongen(&desk), &files);
    check(&jobs::meta(), &|folder| {
        let (agreement, segments, findings) = meta_results(folder);
        [agreement, segments, findings.to_string().into_bytes()]
            .map(|bytes| (String::new(), bytes))
            .to_vec()
    });
    // An old file stays as it was.
    let output = desk.path().join("점수.json");
    fs::write(&output, "old").unwrap();
    let (hyp, reference) = (sample("good.txt"), sample("reference.txt"));
    let line = "score --hyp {} --ref {} --segments --format json -o {}";
    let message =
        failure(&limited(&command(line, &[&hyp, &reference, &output]), 1).output().unwrap());
    assert!(message.contains("점수.json") && message.contains("File too large"), "{message}");
    assert_eq!(fs::read(&output).unwrap(), b"old");
    assert_eq!(drafts(desk.path()), [""; 0].map(PathBuf::from));
    // Standard output may be full as well.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut score = command("score --hyp {} --ref {}", &[&hyp, &reference]);
    let output = score.stdin(Stdio::null()).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let desk = tempfile::tempdir().unwrap();
    let (hyp, reference) = (sample("good.txt"), sample("reference.txt"));
    // Not even root makes files in /proc; the permissions of a folder mean nothing to root.
    let mut closed = vec![PathBuf::from("/proc/ko-eval")];
    let locked = desk.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("x"), "").is_err() {
        closed.push(locked.join("ko-eval"));
    }
    for path in &closed {
        let message =
            failure(&run_line("score --hyp {} --ref {} -o {}", &[&hyp, &reference, path]));
        assert!(message.contains("ko-eval"), "{message}");
        for job in [jobs::commongen(&desk), jobs::probe(&desk), jobs::meta()] {
            let message = failure(&job.command(path).output().unwrap());
            assert!(message.contains(&*path.to_string_lossy()), "{message}");
        }
    }
}

#[test]
fn outputs_are_written_through_what_is_no_file() {
    let desk = tempfile::tempdir().unwrap();
    let (hyp, reference) = (sample("good.txt"), sample("reference.txt"));
    let line = "score --hyp {} --ref {} --format json -o {}";
    let whole = desk.path().join("whole.json");
    assert!(run_line(line, &[&hyp, &reference, &whole]).status.success());
    let expected = fs::read(&whole).unwrap();

    let fifo = desk.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read(fifo).unwrap()
    });
    assert!(run_line(line, &[&hyp, &reference, &fifo]).status.success());
    assert_eq!(reader.join().unwrap(), expected);
    assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo(), "it is still a FIFO");

    let link = desk.path().join("link");
    symlink("linked.json", &link).unwrap();
    assert!(run_line(line, &[&hyp, &reference, &link]).status.success());
    assert_eq!(fs::read(desk.path().join("linked.json")).unwrap(), expected);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "it is still a link");

    // Standard output may be a file with something in it.
    let log = desk.path().join("log");
    fs::write(&log, "head\n").unwrap();
    let file = fs::OpenOptions::new().append(true).open(&log).unwrap();
    let stdout = Path::new("/dev/stdout");
    let mut score = command(line, &[&hyp, &reference, stdout]);
    assert!(score.stdin(Stdio::null()).stdout(file).status().unwrap().success());
    assert_eq!(fs::read(&log).unwrap(), [b"head\n", expected.as_slice()].concat());
    let piped = run_line(line, &[&hyp, &reference, stdout]);
    assert_eq!(piped.stdout, expected);
}

#[test]
fn no_folder_is_made_on_the_way_to_an_output() {
    let desk = tempfile::tempdir().unwrap();
    let (hyp, reference) = (sample("good.txt"), sample("reference.txt"));
    let missing = desk.path().join("없는/결과");
    for flag in ["-o", "--statistics"] {
        let line = format!("score --hyp {{}} --ref {{}} {flag} {{}}");
        let message = failure(&run_line(&line, &[&hyp, &reference, &missing]));
        assert!(message.contains("there is no folder"), "{message}");
    }
    for job in [jobs::commongen(&desk), jobs::probe(&desk), jobs::meta()] {
        let message = failure(&job.command(&missing).output().unwrap());
        assert!(message.contains("there is no folder"), "{}: {message}", job.name);
    }
    assert!(!missing.parent().unwrap().exists());
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let desk = tempfile::tempdir().unwrap();
    let copy = |name: &str| {
        let path = desk.path().join(name);
        fs::copy(sample(name), &path).unwrap();
        path
    };
    let (hyp, reference, human) = (copy("good.txt"), copy("reference.txt"), copy("human.tsv"));
    let shard = desk.path().join("shard.json");
    let line = "score --hyp {} --ref {} --statistics {}";
    assert!(run_line(line, &[&hyp, &reference, &shard]).status.success());
    let link = desk.path().join("link");
    symlink(&hyp, &link).unwrap();
    let folder = desk.path();
    let before = files(folder);
    let cases: [(&str, Vec<&Path>); 9] = [
        ("score --hyp {} --ref {} -o {}", vec![&hyp, &reference, &hyp]),
        ("score --hyp {} --ref {} -o {}", vec![&hyp, &reference, &link]),
        ("score --hyp {} --ref {} --statistics {}", vec![&hyp, &reference, &reference]),
        ("score --pairs {} -o {}", vec![&hyp, &hyp]),
        ("compare --baseline {} --system {} --ref {} -o {}", vec![&hyp, &hyp, &reference, &hyp]),
        ("merge {} -o {}", vec![&shard, &shard]),
        ("commongen score --test {} --system {} -o {}", vec![&hyp, &reference, &reference]),
        ("subword train {} -o {}", vec![&hyp, &hyp]),
        ("probe run {} --output {}", vec![folder, folder]),
    ];
    for (line, paths) in &cases {
        let message = failure(&run_line(line, paths));
        assert!(message.contains("it is also an input"), "{line}: {message}");
    }
    // A file that is named within another argument is an input, too.
    let system = PathBuf::from(format!("갑={}", hyp.display()));
    let line = "meta --system {} --ref {} --human {} --output {}";
    let message = failure(&run_line(line, &[&system, &reference, &human, &hyp]));
    assert!(message.contains("it is no folder"), "{message}");
    let metric = PathBuf::from(format!("meteor:synonyms={}", human.display()));
    let line = "score --hyp {} --ref {} -m {} -o {}";
    let message = failure(&run_line(line, &[&hyp, &reference, &metric, &human]));
    assert!(message.contains("it is also an input"), "{message}");
    assert!(files(folder) == before, "nothing was touched");
}
