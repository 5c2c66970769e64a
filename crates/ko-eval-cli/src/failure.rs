//! What went wrong, each cause said once, and what would help.

use crate::{
    lang::{fill, tr},
    models::NoModels,
};
use ko_eval::{Error, compare, meta, neural::libtorch, probe};

/// What went wrong and why. Some errors end in their own cause, and some contexts begin it: neither is said twice.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        if parts.iter().any(|part| part.contains(&cause)) {
            continue;
        }
        // `system.txt`, and then `system.txt:3: …`.
        if parts.last().is_some_and(|part| cause.starts_with(part.as_str())) {
            parts.pop();
        }
        parts.push(cause);
    }
    parts.join(": ")
}

/// What would help, where that is known.
pub(crate) fn hint(error: &anyhow::Error) -> Option<String> {
    error.chain().filter_map(core_error).find_map(of_error)
}

/// Whether it failed only because libtorch is not built in.
pub(crate) fn lacks_libtorch(error: &anyhow::Error) -> bool {
    error.is::<NoModels>() || error.chain().filter_map(core_error).any(libtorch::is_not_built_in)
}

/// The core's error, bare or within that of another crate, which passes it through.
fn core_error<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e Error> {
    if let Some(compare::Error::Core(error)) = cause.downcast_ref() {
        return Some(error);
    }
    match (cause.downcast_ref(), cause.downcast_ref(), cause.downcast_ref()) {
        (Some(error), ..) => Some(error),
        (_, Some(probe::Error::Core(error)), _) | (_, _, Some(meta::Error::Core(error))) => {
            Some(error)
        }
        _ => None,
    }
}

fn of_error(error: &Error) -> Option<String> {
    match error {
        Error::UnknownName { name, known, .. } | Error::UnknownParameter { name, known, .. } => {
            meant(name, known.split(", "))
        }
        Error::InvalidParameter { value, expected, .. } => {
            meant(value, expected.strip_prefix("one of ")?.split(", "))
        }
        Error::BadLine { reason, .. } if reason.contains("CP949") => Some(
            tr("`--encoding cp949` reads it; `iconv -f CP949 -t UTF-8` converts it").to_owned(),
        ),
        Error::BadLine { reason, .. } if reason.contains("UTF-16") => Some(
            tr("`--encoding utf-16` reads it; `iconv -f UTF-16 -t UTF-8` converts it").to_owned(),
        ),
        _ => None,
    }
}

/// The known name that is nearest to what was written, if it is near.
fn meant<'k>(written: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    let written = written.to_lowercase();
    let near = known.map(|name| (strsim::osa_distance(&written, &name.to_lowercase()), name));
    let (distance, name) = near.min()?;
    let letters = written.chars().count();
    (distance <= (letters / 3).max(1) && distance < letters)
        .then(|| fill("did you mean `{0}`?", &[name]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn causes_are_said_once() {
        let missing = || Error::io("a.txt", std::io::Error::other("no such file"));
        let plain = anyhow::Error::from(missing());
        assert_eq!(message(&plain), "a.txt: no such file");
        let within: anyhow::Error = Err::<(), _>(missing()).context("a.txt").unwrap_err();
        assert_eq!(message(&within), "a.txt: no such file");
        let other: anyhow::Error = Err::<(), _>(missing()).context("system A").unwrap_err();
        assert_eq!(message(&other), "system A: a.txt: no such file");
    }

    #[test]
    fn near_names_are_proposed_and_far_ones_are_not() {
        let known = || ["bleu", "chrf", "rouge-l"].into_iter();
        assert_eq!(meant("blue", known()).unwrap(), "did you mean `bleu`?");
        assert_eq!(meant("Rouge-L2", known()).unwrap(), "did you mean `rouge-l`?");
        assert_eq!(meant("comet", known()), None);
        assert_eq!(meant("x", known()), None);
    }
}
