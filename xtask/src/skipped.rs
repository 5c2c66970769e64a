//! Tests that pass because what they need is not there say so in a file, and the summary counts them.

use crate::recipes::RECIPES;
use anyhow::{Context, Result, bail};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// The environment variable that names the file. A test that cannot run appends `NAME<tab>REASON` and a newline.
pub(crate) const VARIABLE: &str = "KO_EVAL_SKIPPED";

/// The tests that were skipped, by reason.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Skipped(BTreeMap<String, BTreeSet<String>>);

/// An empty file for the tests to write to.
pub(crate) fn file(folder: &Path) -> Result<PathBuf> {
    let path = folder.join("skipped-tests.txt");
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    fs::write(&path, "").with_context(|| path.display().to_string())?;
    Ok(path)
}

impl Skipped {
    /// What the tests wrote.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> Result<Self> {
        let mut tests = BTreeMap::<_, BTreeSet<_>>::new();
        for (number, line) in text.lines().enumerate() {
            let Some((test, reason)) = line.split_once('\t') else {
                bail!("line {}: `{line}` is no name, tab and reason", number + 1);
            };
            tests.entry(reason.to_owned()).or_default().insert(test.to_owned());
        }
        Ok(Self(tests))
    }

    /// The last lines of a test run.
    pub(crate) fn summary(&self) -> String {
        let mut page = String::new();
        for (reason, tests) in &self.0 {
            let (count, s) = (tests.len(), if tests.len() == 1 { "" } else { "s" });
            let names = tests.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            // Writing to a string cannot fail.
            let _ = writeln!(page, "SKIPPED: {count} test{s} ({names}) because {reason}");
        }
        page
    }

    /// An error if a test was skipped for want of something that is installed: it should have run.
    pub(crate) fn check(&self) -> Result<()> {
        let installed = RECIPES.iter().map(|recipe| &recipe.part).filter(|part| part.is_complete());
        self.check_against(installed.map(|part| part.name))
    }

    fn check_against<'p>(&self, installed: impl IntoIterator<Item = &'p str>) -> Result<()> {
        for part in installed {
            let asks_for = |reason: &&String| {
                let after = reason.split_once(&format!("xtask setup {part}")).map(|(_, rest)| rest);
                after.is_some_and(|rest| {
                    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-')
                })
            };
            if let Some(reason) = self.0.keys().find(asks_for) {
                bail!("{part} is installed, and yet tests were skipped because {reason}");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_JARS: &str = "no jars here: run `cargo xtask setup konlpy --accept-gpl`";

    fn three() -> Skipped {
        let no_kiwi = "libkiwi.so is missing: run `cargo xtask setup kiwi`";
        let lines = [("okt", NO_JARS), ("kiwi", no_kiwi), ("kkma", NO_JARS), ("kiwi", no_kiwi)];
        Skipped::parse(&lines.map(|(test, why)| format!("{test}\t{why}\n")).concat()).unwrap()
    }

    #[test]
    fn tests_are_counted_once_by_reason() {
        assert_eq!(
            three().summary(),
            format!(
                "SKIPPED: 1 test (kiwi) because libkiwi.so is missing: run `cargo xtask setup kiwi`\n\
                 SKIPPED: 2 tests (kkma, okt) because {NO_JARS}\n"
            )
        );
        assert_eq!(Skipped::default().summary(), "");
        assert!(Skipped::parse("no tab").is_err());
    }

    #[test]
    fn what_is_installed_is_not_skipped() {
        assert!(three().check_against([]).is_ok());
        assert!(three().check_against(["albert", "ki"]).is_ok());
        let error = three().check_against(["konlpy"]).unwrap_err().to_string();
        assert!(error.starts_with("konlpy is installed"), "{error}");
    }
}
