//! Tests that pass because what they need is not there say so in a file, and the summary counts them.

use anyhow::{Context, Result, bail};
use ko_eval_core::home;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The environment variable that names the file. A test that cannot run appends `NAME<tab>REASON` and a newline.
pub(crate) const VARIABLE: &str = "KO_EVAL_SKIPPED";

/// The tests that were skipped, each with its reason.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Skipped(BTreeSet<(String, String)>);

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
        let mut tests = BTreeSet::new();
        for (number, line) in text.lines().enumerate() {
            let Some((test, reason)) = line.split_once('\t') else {
                bail!("line {}: `{line}` is no name, tab and reason", number + 1);
            };
            tests.insert((test.to_owned(), reason.to_owned()));
        }
        Ok(Self(tests))
    }

    /// The last lines of a test run: how many tests were skipped for want of what.
    pub(crate) fn summary(&self) -> String {
        let mut by_cause = BTreeMap::<_, Vec<_>>::new();
        for (test, reason) in &self.0 {
            let cause = match part(reason) {
                Some(part) => format!("{part} is not installed (cargo xtask setup {part})"),
                None => reason.clone(),
            };
            by_cause.entry(cause).or_default().push(test.as_str());
        }
        let lines = by_cause.iter().map(|(cause, tests)| {
            let (count, s) = (tests.len(), if tests.len() == 1 { "" } else { "s" });
            format!("SKIPPED: {count} test{s} ({}) because {cause}\n", tests.join(", "))
        });
        lines.collect()
    }

    /// An error if a test was skipped for want of something that is installed: it should have run.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_against(|name| {
            ko_eval_setup::by_name(name).is_ok_and(|recipe| recipe.part.is_complete(&home()))
        })
    }

    fn check_against(&self, is_installed: impl Fn(&str) -> bool) -> Result<()> {
        for (test, reason) in &self.0 {
            if let Some(part) = part(reason).filter(|part| is_installed(part)) {
                bail!("{part} is installed, and yet the test {test} was skipped because {reason}");
            }
        }
        Ok(())
    }
}

/// The part of the set-up that a reason asks for.
fn part(reason: &str) -> Option<&'static str> {
    let (_, asked) = reason.split_once("ko-eval setup ")?;
    let name = asked.split(|c: char| !c.is_alphanumeric() && c != '-').next()?;
    ko_eval_setup::by_name(name).ok().map(|recipe| recipe.part.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped() -> Skipped {
        let lines = [
            ("okt", "okt.jar is missing: run `ko-eval setup konlpy --accept-gpl`"),
            ("kiwi", "libkiwi.so is missing: run `ko-eval setup kiwi`, or build it"),
            ("kkma", "kkma.jar is missing: run `ko-eval setup konlpy --accept-gpl`"),
            ("kiwi", "libkiwi.so is missing: run `ko-eval setup kiwi`, or build it"),
            ("hannanum", "there is no Java"),
        ];
        Skipped::parse(&lines.map(|(test, why)| format!("{test}\t{why}\n")).concat()).unwrap()
    }

    #[test]
    fn tests_are_counted_once_by_what_they_lack() {
        assert_eq!(
            skipped().summary(),
            "SKIPPED: 1 test (kiwi) because kiwi is not installed (cargo xtask setup kiwi)\n\
             SKIPPED: 2 tests (kkma, okt) because konlpy is not installed (cargo xtask setup konlpy)\n\
             SKIPPED: 1 test (hannanum) because there is no Java\n"
        );
        assert_eq!(Skipped::default().summary(), "");
        assert!(Skipped::parse("no tab").is_err());
    }

    #[test]
    fn what_is_installed_is_not_skipped() {
        assert!(skipped().check_against(|_| false).is_ok());
        assert!(skipped().check_against(|part| part == "albert").is_ok());
        let error = skipped().check_against(|part| part == "konlpy").unwrap_err().to_string();
        assert!(error.starts_with("konlpy is installed, and yet the test kkma"), "{error}");
    }
}
