//! `cargo xtask ci`: the pieces that every change has to pass, within a budget of time.
//!
//! Machines differ by a factor of six. The pieces run in order of value; one that the rest of the budget is too short
//! for, judged by how long the pieces before it took, is left out and named in the last lines.

use crate::{
    Result,
    run::{cargo, run},
};
use std::{env, process::Command, time::Instant};

/// A piece: a verb of this task runner, or of cargo.
struct Piece {
    name: &'static str,
    command: &'static [&'static str],
    /// Seconds from nothing on an ordinary machine with two cores.
    seconds: u64,
    /// Whether it runs however little time is left.
    always: bool,
}

const fn piece(name: &'static str, seconds: u64, command: &'static [&'static str]) -> Piece {
    Piece { name, command, seconds, always: false }
}

const PIECES: &[Piece] = &[
    Piece { always: true, ..piece("format", 5, &["fmt", "--all", "--check"]) },
    Piece { always: true, ..piece("quick", 450, &["xtask", "test", "--quick"]) },
    piece("lint", 230, &["xtask", "lint"]),
    piece("torch", 200, &["xtask", "test", "--torch"]),
    piece("sql", 320, &["xtask", "test", "--sql"]),
    piece("docs", 40, &["xtask", "docs"]),
    piece("reproduce", 400, &["xtask", "reproduce", "--quick"]),
    piece("fuzz", 330, &["xtask", "fuzz"]),
    piece("deny", 60, &["xtask", "deny"]),
];

/// The budget in minutes, and its variable.
const BUDGET: (&str, u64) = ("KO_EVAL_CI_MINUTES", 75);

/// Runs all pieces, or those that are named.
pub(crate) fn verb(names: &[&str]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| PIECES.iter().all(|p| p.name != **name)) {
        let known: Vec<_> = PIECES.iter().map(|piece| piece.name).collect();
        return Err(format!("unknown piece `{unknown}`; known: {}", known.join(", ")).into());
    }
    let minutes = match env::var(BUDGET.0) {
        Ok(value) => value.parse().map_err(|_| format!("{}={value}: not minutes", BUDGET.0))?,
        Err(_) => BUDGET.1,
    };
    let mut clock = Clock { budget: minutes * 60, expected: 0, taken: 0 };
    let mut report = String::new();
    for piece in PIECES.iter().filter(|piece| names.is_empty() || names.contains(&piece.name)) {
        let line = format!("cargo {}", piece.command.join(" "));
        if !piece.always && !clock.has_time_for(piece.seconds) {
            report += &format!("left out   {:<10} {line}\n", piece.name);
            continue;
        }
        if piece.name == "reproduce" && !data_is_there() {
            report += &format!("left out   {:<10} no data (KO_EVAL_DATA): {line}\n", piece.name);
            continue;
        }
        println!("\n== {}: {line}", piece.name);
        let start = Instant::now();
        if piece.name == "quick" {
            install_helpers();
        }
        run(once(piece.command))?;
        let seconds = start.elapsed().as_secs();
        clock.expected += piece.seconds;
        clock.taken += seconds;
        report += &format!("{seconds:>6} s   {:<10} {line}\n", piece.name);
    }
    println!("\n{report}green, in {} minutes of {minutes}", clock.taken.div_ceil(60));
    Ok(())
}

/// Cargo without what would only make a second build faster.
fn once(arguments: &[&str]) -> Command {
    let mut command = cargo(arguments);
    command.env("CARGO_INCREMENTAL", "0");
    command
}

/// How much time there is, how long the pieces so far should have taken, and how long they took.
struct Clock {
    budget: u64,
    expected: u64,
    taken: u64,
}

impl Clock {
    /// Whether a piece that takes so many seconds on an ordinary machine fits on this one.
    fn has_time_for(&self, seconds: u64) -> bool {
        let likely = seconds * self.taken.max(1) / self.expected.max(1);
        // A fast machine may still be slow at the next piece.
        self.taken + likely.max(seconds / 2) <= self.budget
    }
}

fn data_is_there() -> bool {
    let folder = env::var_os("KO_EVAL_DATA").unwrap_or_else(|| "../shared/data".into());
    crate::run::root().join(folder).is_dir()
}

/// Installs what tests would otherwise skip, where that can be: Chromium where root has apt, KoNLPy's analyzers, which are
/// under the GPL-3 and only run here, where Java is. A failure is no error: those tests say what they lack.
fn install_helpers() {
    let has = |program| Command::new(program).arg("--version").output().is_ok();
    if !has("chromium") && !has("google-chrome") && has("apt-get") {
        for arguments in ["update", "install -y --no-install-recommends chromium"] {
            let _ = Command::new("apt-get").args(arguments.split(' ')).output();
        }
    }
    if has("java") {
        let _ = run(once(&["xtask", "setup", "konlpy", "--accept-gpl"]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_left_out_where_it_would_not_end_in_time() {
        let slow = Clock { budget: 75 * 60, expected: 305, taken: 5 * 305 };
        assert!(slow.has_time_for(240), "1525 s and then 1200 s");
        assert!(!slow.has_time_for(600), "1525 s and then 3000 s");
        let fast = Clock { budget: 20 * 60, expected: 600, taken: 150 };
        assert!(fast.has_time_for(1000));
        assert!(!Clock { budget: 200, ..fast }.has_time_for(120), "no faster than half the time");
        assert!(Clock { budget: 60, expected: 0, taken: 0 }.has_time_for(60));
    }

    #[test]
    fn only_the_format_and_the_quick_tests_always_run() {
        let always: Vec<_> = PIECES.iter().filter(|p| p.always).map(|p| p.name).collect();
        assert_eq!(always, ["format", "quick"]);
    }
}
