//! Java without memory: a typed error, and the process goes on.
//!
//! Java takes its memory when it starts, so each test runs in a process of its own: this program again, with less of it.

use ko_eval_core::Error;
use ko_eval_testing::skip;
use ko_tokenize::{MorphemeAnalyzer, analyzer_by_name, jvm::JvmError};
use std::{
    env,
    error::Error as _,
    fs,
    process::{Command, Output},
};

/// Names the tool in a process with little memory.
const TOOL: &str = "KO_EVAL_JAVA_MEMORY";

fn written(analyzer: &dyn MorphemeAnalyzer, text: &str) -> Vec<String> {
    let morphemes = analyzer.analyze(text).unwrap_or_else(|error| panic!("{error:?}"));
    morphemes.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect()
}

fn is_out_of_memory(error: &Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    matches!(cause, Some(ko_tokenize::Error::Jvm(JvmError::OutOfMemory { .. })))
}

/// This test alone, in a process whose Java has so much memory.
fn with_memory(test: &str, tool: &str, megabytes: u32) -> Output {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(TOOL, tool)
        .env("_JAVA_OPTIONS", format!("-Xmx{megabytes}m -XX:+UseSerialGC"))
        .output()
        .unwrap()
}

/// Runs the test in such a process for a tool that is installed.
fn tried(test: &str, tool: &str, megabytes: u32) {
    if let Err(error) = analyzer_by_name(tool) {
        assert!(matches!(error, Error::Missing { .. }), "{tool}: {error:?}");
        return skip(tool, &error.to_string());
    }
    let output = with_memory(test, tool, megabytes);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool}: {}\n{told}", output.status);
}

/// Threads of this process.
fn threads() -> usize {
    fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// Too little memory for a dictionary, whoever asks.
#[test]
fn a_dictionary_that_does_not_fit_is_an_error() {
    let Ok(tool) = env::var(TOOL) else {
        return tried("java_memory::a_dictionary_that_does_not_fit_is_an_error", "komoran", 24);
    };
    let analyzer = analyzer_by_name(&tool).unwrap();
    let mut before = 0;
    for round in 0..5 {
        let error = analyzer.analyze("밥을 했다.").unwrap_err();
        assert!(is_out_of_memory(&error), "{round}: {error:?}");
        if round == 1 {
            before = threads();
        }
    }
    assert!(threads() <= before, "nothing is left of a failure");
    assert_eq!(analyzer.analyze(" ").unwrap(), []);
}

/// A text that Java has no memory for, between others.
#[test]
fn a_text_that_does_not_fit_is_an_error_and_the_next_is_analysed_as_before() {
    let Ok(tool) = env::var(TOOL) else {
        let test =
            "java_memory::a_text_that_does_not_fit_is_an_error_and_the_next_is_analysed_as_before";
        return tried(test, "komoran", 256);
    };
    let analyzer = analyzer_by_name(&tool).unwrap();
    let text = "어제 저녁에 우리는 국밥을 먹었다.";
    let expected = written(&*analyzer, text);
    let monster = "밥을 먹었다 ".repeat(2_000_000);
    let error = analyzer.analyze(&monster).unwrap_err();
    assert!(is_out_of_memory(&error), "{error:?}");
    assert!(error.source().unwrap().to_string().contains("_JAVA_OPTIONS=-Xmx4g"), "{error:?}");
    assert_eq!(written(&*analyzer, text), expected);
}
