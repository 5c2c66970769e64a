//! Tests that pass because something is not installed: each names itself in a file, and the last lines count them.

use crate::Result;
use std::collections::{BTreeMap, BTreeSet};

/// The tests that were skipped, each with its reason.
#[derive(Debug, Default)]
pub(crate) struct Skipped(BTreeSet<(String, String)>);

impl Skipped {
    /// Reads lines of a test's name, a tab and the reason.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let lines = text.lines().map(|line| match line.split_once('\t') {
            Some((test, reason)) => Ok((test.to_owned(), reason.to_owned())),
            None => Err(format!("`{line}` is not a test, a tab and a reason").into()),
        });
        lines.collect::<Result<_>>().map(Self)
    }

    /// One line per cause, with the command that removes it.
    pub(crate) fn summary(&self) -> String {
        let mut by_cause = BTreeMap::<_, Vec<_>>::new();
        for (test, reason) in &self.0 {
            let cause = part(reason).map_or(reason.clone(), |part| {
                format!("{part} is not installed: cargo xtask setup {part}")
            });
            by_cause.entry(cause).or_default().push(test.as_str());
        }
        let lines = by_cause.iter().map(|(cause, tests)| {
            format!("skipped: {} ({}): {cause}\n", tests.len(), tests.join(", "))
        });
        lines.collect()
    }

    /// Fails if a test was skipped for want of a part that `ko-eval setup --list --format csv` calls ready.
    pub(crate) fn check(&self, parts: &str) -> Result<()> {
        let ready =
            |part: &str| parts.lines().any(|line| line.starts_with(&format!("{part},ready,")));
        match self.0.iter().find(|(_, reason)| part(reason).is_some_and(ready)) {
            Some((test, reason)) => {
                Err(format!("{test} was skipped, but need not: {reason}").into())
            }
            None => Ok(()),
        }
    }
}

/// The part that a reason asks to set up.
fn part(reason: &str) -> Option<&str> {
    let (_, rest) = reason.split_once("ko-eval setup ")?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '-').next().filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped() -> Skipped {
        let okt = "okt\tokt.jar is missing: run `ko-eval setup konlpy --accept-gpl`\n";
        let java = "hannanum\tno Java: apt-get install default-jre-headless\n";
        Skipped::parse(&[okt, java, okt, &okt.replace("okt", "kkma")].concat()).unwrap()
    }

    #[test]
    fn tests_are_counted_once_by_cause() {
        assert_eq!(
            skipped().summary(),
            "skipped: 2 (kkma, okt): konlpy is not installed: cargo xtask setup konlpy\n\
             skipped: 1 (hannanum): no Java: apt-get install default-jre-headless\n"
        );
        assert_eq!(Skipped::default().summary(), "");
        assert!(Skipped::parse("no tab").is_err());
    }

    #[test]
    fn an_installed_part_excuses_no_skip() {
        assert!(skipped().check("part,state,fetched\nkonlpy,missing,80 MB\n").is_ok());
        assert!(skipped().check("konlpy,ready,80 MB\n").is_err());
    }
}
