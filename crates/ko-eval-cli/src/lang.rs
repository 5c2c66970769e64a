//! The language that tables, notes, hints and help are in. JSON and CSV know only one.

mod help;
mod ko;

pub(crate) use help::translated;

use clap::ValueEnum;
use ko_eval::meta::report::Language;
use std::{ffi::OsString, sync::OnceLock};

/// A language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lang {
    /// English
    #[default]
    En,
    /// 한국어
    Ko,
}

static CHOSEN: OnceLock<Lang> = OnceLock::new();

/// Finds the language before arguments are parsed, because help needs it: `--lang`, else the environment.
pub(crate) fn choose(args: &[OsString]) -> Lang {
    let lang = asked(args).unwrap_or_else(|| {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(std::env::var_os);
        locale.into_iter().find(|value| !value.is_empty()).map_or(Lang::En, |value| of(&value))
    });
    *CHOSEN.get_or_init(|| lang)
}

/// What `--lang` says; clap complains of what it does not know.
fn asked(args: &[OsString]) -> Option<Lang> {
    let mut args = args.iter().map(|arg| arg.to_string_lossy()).take_while(|arg| arg != "--");
    while let Some(arg) = args.next() {
        let value = match arg.strip_prefix("--lang") {
            Some("") => args.next()?.into_owned(),
            Some(rest) => rest.strip_prefix('=')?.to_owned(),
            None => continue,
        };
        return Lang::from_str(&value, true).ok();
    }
    None
}

/// `ko_KR.UTF-8` is Korean.
fn of(locale: &OsString) -> Lang {
    let locale = locale.to_string_lossy();
    match locale.split(['_', '.', '-', '@']).next() {
        Some("ko") => Lang::Ko,
        _ => Lang::En,
    }
}

pub(crate) fn is_korean() -> bool {
    CHOSEN.get() == Some(&Lang::Ko)
}

/// The language of reports.
pub(crate) fn of_reports() -> Language {
    if is_korean() { Language::Korean } else { Language::English }
}

/// A text in the language that was chosen; what is not translated stays as it is.
pub(crate) fn tr(english: &str) -> &str {
    if !is_korean() {
        return english;
    }
    ko::TEXTS.iter().find(|(en, _)| *en == english).map_or(english, |(_, ko)| ko)
}

/// A word that means one thing here and another elsewhere: it stands in the table as `context: word`.
pub(crate) fn tr_in<'w>(context: &str, word: &'w str) -> &'w str {
    let key = format!("{context}: {word}");
    let known = ko::TEXTS.iter().find(|(en, _)| is_korean() && *en == key);
    known.map_or(word, |(_, ko)| ko)
}

/// The same with values in the places of `{0}`, `{1}` …
pub(crate) fn fill(english: &str, values: &[&str]) -> String {
    values.iter().enumerate().fold(tr(english).to_owned(), |text, (place, value)| {
        text.replace(&format!("{{{place}}}"), value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_and_the_argument_name_the_language() {
        for (locale, lang) in
            [("ko_KR.UTF-8", Lang::Ko), ("ko", Lang::Ko), ("C", Lang::En), ("kok_IN", Lang::En)]
        {
            assert_eq!(of(&locale.into()), lang, "{locale}");
        }
        let args = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(asked(&args("ko-eval score --lang ko a")), Some(Lang::Ko));
        assert_eq!(asked(&args("ko-eval --lang=en score")), Some(Lang::En));
        assert_eq!(asked(&args("ko-eval score -- --lang ko")), None);
        assert_eq!(asked(&args("ko-eval score")), None);
    }

    #[test]
    fn translations_keep_their_places() {
        for (english, korean) in ko::TEXTS.iter().chain(ko::HELP) {
            for place in ["{0}", "{1}", "{2}", "`"] {
                let places = |text: &str| text.matches(place).count();
                assert_eq!(places(english), places(korean), "{english}");
            }
            assert!(!korean.is_empty());
        }
        // Each table by itself: a text may be a heading and help.
        for table in [ko::TEXTS, ko::HELP] {
            let mut keys: Vec<_> = table.iter().map(|(english, _)| english).collect();
            keys.sort_unstable();
            for pair in keys.windows(2) {
                assert_ne!(pair.first(), pair.last(), "each text once");
            }
        }
    }
}
