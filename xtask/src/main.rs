//! `cargo xtask …`: what a developer runs that is not plain cargo.

mod ci;
mod docs;
mod packages;
mod run;
mod skipped;
mod test;
mod tools;

use run::{Selection, cargo, ko_eval, libtorch, root, run};
use std::{env, process::ExitCode};

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

const HELP: &str = "\
Usage: cargo xtask <VERB>

  demo                     Run the demo on bundled samples
  test                     Run every test: what follows, in this order
  test --quick             … those that need neither libtorch nor an SQL engine
  test --torch             … those with libtorch, under the lowest instruction set
  test --sql               … those with DataFusion and Ballista
  test --processors        Run those with libtorch under every instruction set and 1, 2 and 4 threads
  test --all-night         Run all of these with many more cases, then packages, features and fuzz
  lint                     Run clippy on everything with all features
  docs                     Build the documentation and check its pages
  packages                 Package every crate, build each from its package, use the command as a new user does
  features                 Check every package with each of its features alone
  deny                     Check licences, sources and advisories, and who depends on whom
  fuzz [--runs N | --minutes N] [TARGET …]
                           Fuzz every reader: 5,000 inputs each, the same ones every time
  reproduce [--quick] [CHECK …]
                           Compare with published numbers, from the data that KO_EVAL_DATA names
  setup PART …             Run `ko-eval setup`
  doctor                   Run `ko-eval doctor`
  ci [PIECE …]             Run what CI runs, within KO_EVAL_CI_MINUTES (75)

What follows `--` is passed on to cargo test.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match verb(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn verb(arguments: &[&str]) -> Result<()> {
    let Some((verb, rest)) = arguments.split_first() else {
        return Err(HELP.into());
    };
    match (*verb, rest) {
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(())
        }
        ("demo", []) => {
            let mut demo = ko_eval(["demo", "--output"])?;
            run(demo.arg(run::target().join("demo")))
        }
        ("test", options) => test::verb(options),
        ("lint", []) => {
            let clippy = ["clippy", "--locked", "--workspace", "--all-targets", "--all-features"];
            run(cargo(clippy).args(["--", "-D", "warnings"]).envs(libtorch()?))
        }
        ("docs", []) => docs::verb(),
        ("packages", []) => packages::verb(),
        ("features", []) => packages::features(),
        ("deny", []) => tools::deny(),
        ("fuzz", options) => tools::fuzz(options),
        ("reproduce", options) => reproduce(options),
        ("setup", parts) => run(ko_eval(["setup"].iter().chain(parts))?),
        ("doctor", []) => run(ko_eval(["doctor"])?),
        ("ci", pieces) => ci::verb(pieces),
        _ => Err(format!("unknown: `{}`\n\n{HELP}", arguments.join(" ")).into()),
    }
}

/// Without training in the tests' profile, whose crates are compiled; with it in the release profile and with libtorch.
fn reproduce(options: &[&str]) -> Result<()> {
    run(ko_eval(["setup", "dictionary", "sacrebleu-dictionary"])?)?;
    for part in ["khaiii", "wordnet"] {
        if let Err(error) = run(ko_eval(["setup", part])?) {
            eprintln!("SKIPPED: {part}: {error}");
        }
    }
    if options.contains(&"--quick") {
        let selection = Selection::Plain.arguments();
        run(cargo(["build", "--bin", "reproduce"].iter().chain(&selection)))?;
        let program = run::target().join("debug/reproduce");
        return run(std::process::Command::new(program).args(options).current_dir(root()));
    }
    run(ko_eval(["setup", "albert"])?)?;
    let build =
        ["run", "--locked", "--release", "--package", "reproduce", "--features", "torch,lindera"];
    run(cargo(build).arg("--").args(options).envs(libtorch()?))
}
