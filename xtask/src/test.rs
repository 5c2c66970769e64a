//! `cargo xtask test`: the tiers of tests, each a selection of packages that cargo compiles once.

use crate::{
    Result,
    run::{Selection, cargo, ko_eval, libtorch, run, run_tests, target},
    skipped,
};
use std::fs;

/// The variable by which tests know that the night tier runs: they try many more cases.
const NIGHT: &str = "KO_EVAL_NIGHT";

/// Instruction sets, by the variables of ATen, oneDNN and MKL; the lowest is the first.
const PROCESSORS: &[(&str, &[(&str, &str)])] = &[
    ("SSE4.1", &processor("default", "SSE41", "SSE4_2")),
    ("AVX2", &processor("avx2", "AVX2", "AVX2")),
    ("AVX-512", &processor("avx512", "AVX512_CORE_VNNI", "AVX512")),
];

const fn processor(
    aten: &'static str,
    onednn: &'static str,
    mkl: &'static str,
) -> [(&'static str, &'static str); 3] {
    [
        ("ATEN_CPU_CAPABILITY", aten),
        ("ONEDNN_MAX_CPU_ISA", onednn),
        ("MKL_ENABLE_INSTRUCTIONS", mkl),
    ]
}

/// The threads that `--processors` tries under every instruction set: of libtorch, and of our own loops.
const THREADS: [&str; 3] = ["1", "2", "4"];
const THREAD_VARIABLES: [&str; 3] = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"];

/// What the night tier runs, beside the cases that `NIGHT` adds.
const ALL_NIGHT: &[&[&str]] = &[
    &["test"],
    &["test", "--processors"],
    &["packages"],
    &["features"],
    &["fuzz", "--minutes", "10"],
];

/// One run of tests: the selection, cargo's arguments that choose targets in it, and variables. Returns how many passed.
type Tier<'t> = &'t dyn Fn(Selection, &[&str], &[(&str, &str)]) -> Result<usize>;

pub(crate) fn verb(options: &[&str]) -> Result<()> {
    let place = options.iter().position(|option| *option == "--").unwrap_or(options.len());
    let (options, passed_on) = options.split_at(place);
    if options == ["--all-night"] {
        return all_night();
    }
    let list = target().join("skipped-tests.txt");
    fs::create_dir_all(target())?;
    fs::write(&list, "")?;
    let tier = |selection: Selection, targets: &[&str], variables: &[(&str, &str)]| {
        let mut command =
            cargo(["test", "--no-fail-fast"].iter().chain(&selection.arguments()).chain(targets));
        // Tests fetch nothing.
        command.args(passed_on).env("KO_EVAL_SKIPPED", &list).env("KO_EVAL_OFFLINE", "1");
        if selection == Selection::Torch {
            command.envs(libtorch()?);
        }
        run_tests(command.envs(variables.iter().copied()))
    };
    let (_, lowest) = PROCESSORS[0];
    let outcome = match options {
        [] => quick(&tier).and_then(|()| torch(&tier, lowest)).and_then(|_| sql(&tier)),
        ["--quick"] => quick(&tier),
        ["--torch"] => torch(&tier, lowest).map(|_| ()),
        ["--sql"] => sql(&tier),
        ["--processors"] => processors(&tier),
        _ => Err(format!("unknown: `{}`; see `cargo xtask help`", options.join(" ")).into()),
    };
    let parts = ko_eval(["setup", "--list", "--format", "csv"])?.output()?;
    let list = fs::read_to_string(&list)?;
    eprint!("{}", skipped::summary(&list));
    outcome?;
    match skipped::needlessly(&list, &String::from_utf8(parts.stdout)?) {
        Some(line) => Err(format!("skipped, but need not be: {line}").into()),
        None => Ok(()),
    }
}

fn quick(tier: Tier<'_>) -> Result<()> {
    run(ko_eval(["setup", "dictionary", "sacrebleu-dictionary"])?)?;
    tier(Selection::Plain, &[], &[]).map(|_| ())
}

/// Runs the tests with libtorch and returns how many passed.
fn torch(tier: Tier<'_>, variables: &[(&str, &str)]) -> Result<usize> {
    run(ko_eval(["setup", "dictionary", "albert"])?)?;
    let tests = tier(Selection::Torch, &["--lib", "--test", "torch"], variables)?;
    Ok(tests + tier(Selection::Torch, &["--doc"], variables)?)
}

fn sql(tier: Tier<'_>) -> Result<()> {
    run(ko_eval(["setup", "dictionary"])?)?;
    let targets = ["--lib", "--test", "sql", "--test", "cluster"];
    tier(Selection::Sql, &targets, &[]).map(|_| ())
}

/// Runs the tests with libtorch as other processors would, and counts them.
fn processors(tier: Tier<'_>) -> Result<()> {
    let mut table = String::new();
    for (name, variables) in PROCESSORS {
        for threads in THREADS {
            let more = THREAD_VARIABLES.map(|variable| (variable, threads));
            let passed = torch(tier, &[*variables, &more].concat())?;
            table += &format!("{name:<8} {threads} threads: {passed} tests passed\n");
        }
    }
    eprint!("{table}");
    Ok(())
}

/// Runs everything there is, one verb after another, whatever fails.
fn all_night() -> Result<()> {
    let outcomes: Vec<_> = ALL_NIGHT
        .iter()
        .map(|verb| run(cargo(["xtask"].iter().chain(*verb)).env(NIGHT, "1")))
        .collect();
    outcomes.into_iter().collect()
}
