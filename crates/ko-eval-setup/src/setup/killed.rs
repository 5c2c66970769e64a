//! Set-up that is really killed, at whatever it happens to do: the next run ends with the same files as one that nobody disturbed.
//!
//! What is killed is this test program again, which installs a part of ours. Its package is a wheel that the test makes; pip, the real
//! one, finds it in a folder, and the net is not asked.

use super::*;
use crate::{Kind, Limits, Package, Part, checksum};
use ko_eval_testing::cases;
use std::{
    env,
    io::Write as _,
    os::unix::process::ExitStatusExt as _,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Names the folder of the wheel, and so a process that installs.
const SOURCE: &str = "KO_EVAL_SETUP_SOURCE";
const WHEEL: &str = "ko_eval_small-1.0-py3-none-any.whl";
const FILES: usize = 300;

/// A wheel as pip accepts it, with many small files.
fn write_wheel(folder: &Path) {
    let mut zip = zip::ZipWriter::new(fs::File::create(folder.join(WHEEL)).unwrap());
    let info = "ko_eval_small-1.0.dist-info";
    let about = [
        ("METADATA", "Metadata-Version: 2.1\nName: ko-eval-small\nVersion: 1.0\n"),
        ("WHEEL", "Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
        ("RECORD", ""),
    ];
    let about = about.map(|(name, text)| (format!("{info}/{name}"), text.to_owned()));
    let files = (0..FILES).map(|n| (format!("small/{n}.txt"), format!("{n}번 파일\n").repeat(500)));
    for (name, text) in about.into_iter().chain(files) {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

fn package(source: &Path) -> Package {
    Package {
        name: "ko-eval-small",
        version: "1.0",
        file: WHEEL,
        sha256: checksum::sha256(&source.join(WHEEL)).unwrap().leak(),
        megabytes: 1,
        kind: Kind::Wheel(&[]),
    }
}

fn recipe(source: &Path) -> Recipe {
    Recipe {
        part: Part { name: "small", summary: "", folder: "small-1.0", files: &["299.txt"] },
        packages: Box::leak(Box::new([package(source)])),
        only_on: None,
        licence: None,
        limits: Limits { files: 1000, file_megabytes: 1, megabytes: 20 },
        check: || Ok(()),
        revision: 1,
        make: |work| {
            let wheel = package(Path::new(&env::var_os(SOURCE).unwrap()));
            work.unpack(&wheel, |name| name.strip_prefix("small/").map(str::to_owned))
        },
    }
}

/// What the process does that is killed.
fn install() {
    let source = PathBuf::from(env::var_os(SOURCE).unwrap());
    let convert = |_: &Path, _: &Path, _: &str| Err("nothing to convert".into());
    Setup::new(&convert).run(&recipe(&source)).unwrap();
}

/// This test in a process that installs into `home`.
fn started(source: &Path, home: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "setup::killed::a_killed_set_up_goes_on_to_the_same_files"])
        .env(SOURCE, source)
        .env("KO_EVAL_HOME", home)
        .env("PIP_NO_INDEX", "1")
        .env("PIP_FIND_LINKS", source)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

fn finish(source: &Path, home: &Path) {
    let output = started(source, home).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The files of the part.
fn files(home: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(home.join("small-1.0")).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| (path.file_name().unwrap().into(), fs::read(&path).unwrap());
    let mut files: Vec<_> = entries.map(read).collect();
    files.sort();
    files
}

/// The next of a row of random numbers from 0 to 1.
fn next(chance: &mut u64) -> f64 {
    *chance =
        chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*chance >> 11) as f64 / (1u64 << 53) as f64
}

/// Kills at so many moments, up to five times in a row on one folder. `by_hand`: the wheel lies there, and pip is not asked.
fn survives(source: &Path, kills: usize, by_hand: bool) {
    let home = |name: &str| {
        let home = source.join(name);
        let downloads = home.join("downloads");
        fs::create_dir_all(&downloads).unwrap();
        if by_hand {
            fs::copy(source.join(WHEEL), downloads.join(WHEEL)).unwrap();
        }
        home
    };
    let whole = home("whole");
    let start = Instant::now();
    finish(source, &whole);
    let mut takes = start.elapsed();
    let expected = files(&whole);
    assert_eq!(expected.len(), FILES + 1, "and the stamp");
    let (mut chance, mut killed, mut round) = (kills as u64, 0, 0);
    while killed < kills {
        round += 1;
        assert!(round <= 10 * kills, "only {killed} were killed");
        let home = home(&format!("killed-{round}"));
        for _ in 0..5 {
            let mut child = started(source, &home).spawn().unwrap();
            // No event to wait for: that it may be killed at any moment is what is tested.
            std::thread::sleep(takes.mul_f64(next(&mut chance)));
            // It may have ended by itself.
            let _ = child.kill();
            let output = child.wait_with_output().unwrap();
            if output.status.signal() != Some(9) {
                let told = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{told}");
                takes = takes.mul_f64(0.8).max(Duration::from_millis(1));
                break;
            }
            takes = takes.mul_f64(1.02);
            killed += 1;
        }
        finish(source, &home);
        assert!(files(&home) == expected, "round {round}");
        // A pip that outlived its set-up may still write there.
        let _ = fs::remove_dir_all(home);
    }
    fs::remove_dir_all(whole).unwrap();
}

#[test]
fn a_killed_set_up_goes_on_to_the_same_files() {
    if env::var_os(SOURCE).is_some() {
        return install();
    }
    let source = tempfile::tempdir().unwrap();
    write_wheel(source.path());
    survives(source.path(), cases(3, 40), true);
    // Most of this time pip is at work; it outlives whoever started it.
    survives(source.path(), cases(1, 10), false);
    // What was fetched before, and damaged since, is fetched again.
    let home = source.path().join("damaged");
    let fetched = home.join("downloads/.fetched");
    fs::create_dir_all(&fetched).unwrap();
    fs::write(fetched.join(WHEEL), "no wheel").unwrap();
    finish(source.path(), &home);
    assert_eq!(files(&home).len(), FILES + 1);
}
