//! Tests that pass because something is not installed: each names itself in a file, and the last lines count them.

use std::collections::{BTreeMap, BTreeSet};

/// One line per reason, each of which ends with the command that installs what is missing.
pub(crate) fn summary(list: &str) -> String {
    let mut by_reason = BTreeMap::<_, BTreeSet<_>>::new();
    for (test, reason) in list.lines().filter_map(|line| line.split_once('\t')) {
        by_reason.entry(reason).or_default().insert(test);
    }
    let lines = by_reason.iter().map(|(reason, tests)| {
        let names: Vec<_> = tests.iter().copied().collect();
        format!("skipped: {} ({}): {reason}\n", names.len(), names.join(", "))
    });
    lines.collect()
}

/// The first test that was skipped for want of a part that `ko-eval setup --list --format csv` calls ready.
pub(crate) fn needlessly<'l>(list: &'l str, parts: &str) -> Option<&'l str> {
    let ready = |part: &str| parts.lines().any(|line| line.starts_with(&format!("{part},ready,")));
    list.lines().find(|line| {
        let command = line.split_once("ko-eval setup ").map_or("", |(_, rest)| rest);
        command.split(|c: char| !c.is_alphanumeric() && c != '-').next().is_some_and(ready)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "okt\tno Java: apt-get install default-jre-headless\n\
                        kkma\tno jars: run `ko-eval setup konlpy --accept-gpl`\n\
                        hannanum\tno jars: run `ko-eval setup konlpy --accept-gpl`\n\
                        okt\tno Java: apt-get install default-jre-headless\n";

    #[test]
    fn tests_are_counted_once_by_reason() {
        assert_eq!(
            summary(LIST),
            "skipped: 1 (okt): no Java: apt-get install default-jre-headless\n\
             skipped: 2 (hannanum, kkma): no jars: run `ko-eval setup konlpy --accept-gpl`\n"
        );
        assert_eq!(summary(""), "");
    }

    #[test]
    fn an_installed_part_excuses_no_skip() {
        assert_eq!(needlessly(LIST, "part,state,fetched\nkonlpy,missing,80 MB\n"), None);
        assert!(needlessly(LIST, "konlpy,ready,80 MB\n").unwrap().starts_with("kkma"));
    }
}
