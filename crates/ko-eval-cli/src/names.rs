//! Names of metrics and units as people write them: in any case, with `_` for `-`, and by other usual names.

use ko_eval::{METRICS, Param, UNITS};

/// What other tools call a metric of ours, and the specifications that it stands for.
const ALIASES: &[(&str, &[&str])] = &[
    ("chrf++", &["chrf:word-order=2"]),
    ("chrf2", &["chrf"]),
    ("chrf2++", &["chrf:word-order=2"]),
    ("rouge", &["rouge-1", "rouge-2", "rouge-l"]),
];

/// The metrics that a specification asks for, by their own names. What nobody knows stays as it is.
pub(crate) fn metrics(spec: &str) -> Vec<String> {
    let (name, rest) = parts(spec);
    if let Some((_, own)) = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)) {
        return own.iter().flat_map(|own| metrics(&joined(own, rest))).collect();
    }
    let row = METRICS.iter().find(|row| is_same(row.name, name));
    vec![row.map_or_else(|| spec.to_owned(), |row| joined(row.name, &settings(rest, row.params)))]
}

/// The unit that a specification asks for, by its own name.
pub(crate) fn unit(spec: &str) -> String {
    let (name, rest) = parts(spec);
    let row = UNITS.iter().find(|row| is_same(row.name, name));
    row.map_or_else(|| spec.to_owned(), |row| joined(row.name, &settings(rest, row.params)))
}

fn parts(spec: &str) -> (&str, &str) {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    (name.trim(), rest)
}

/// `chrf:word-order=2` and `beta=3` are `chrf:word-order=2,beta=3`.
pub(crate) fn joined(own: &str, rest: &str) -> String {
    match (rest.is_empty(), own.contains(':')) {
        (true, _) => own.to_owned(),
        (false, true) => format!("{own},{rest}"),
        (false, false) => format!("{own}:{rest}"),
    }
}

/// Settings under their own names. A row without any may have an argument that is not ours to change.
fn settings(rest: &str, params: &[Param]) -> String {
    let setting = |part: &str| match part.split_once('=') {
        Some((key, value)) => {
            let param = params.iter().find(|param| is_same(param.name, key.trim()));
            param.map_or_else(|| part.to_owned(), |param| format!("{}={value}", param.name))
        }
        None => part.to_owned(),
    };
    rest.split(',').map(setting).collect::<Vec<_>>().join(",")
}

/// Whether only case, `-` and `_` differ.
fn is_same(own: &str, written: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars()
            .filter(|c| !matches!(c, '-' | '_' | ' '))
            .flat_map(char::to_lowercase)
            .collect()
    };
    own == written || letters(own) == letters(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_understood_as_people_write_them() {
        for (written, own) in [
            ("BLEU", "bleu"),
            ("bleu:Order=2", "bleu:order=2"),
            ("chrF++", "chrf:word-order=2"),
            ("chrF++:beta=3", "chrf:word-order=2,beta=3"),
            ("chrf:word_order=1", "chrf:word-order=1"),
            ("rougeL", "rouge-l"),
            ("ROUGE_1", "rouge-1"),
            ("BERTScore:Some/Model,layer=9", "bertscore:Some/Model,layer=9"),
            ("comet", "comet"),
        ] {
            assert_eq!(metrics(written), [own]);
        }
        assert_eq!(metrics("rouge"), ["rouge-1", "rouge-2", "rouge-l"]);
        assert_eq!(unit("Mecab:Penalty=off"), "mecab:penalty=off");
        assert_eq!(unit("bridge:MyProgram --Order=2"), "bridge:MyProgram --Order=2");
        assert_eq!(unit("syllable"), "syllable");
    }

    #[test]
    fn no_name_hides_another() {
        let names = || METRICS.iter().map(|row| row.name);
        assert!(names().all(|name| metrics(name) == [name]));
        assert!(UNITS.iter().all(|row| unit(row.name) == row.name));
        assert!(ALIASES.iter().all(|(alias, _)| names().all(|name| !is_same(name, alias))));
    }
}
