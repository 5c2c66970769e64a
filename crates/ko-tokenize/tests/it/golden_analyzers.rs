//! Equal to kiwipiepy and to KoNLPy, and steady whatever the text.
//!
//! Kiwi and KoNLPy's tools are installed at the user's request. Where one is not there, or Java is not, its tests say that
//! they are skipped, and why: on standard error, and in the file that `KO_EVAL_SKIPPED` names, which `cargo xtask test` reads.

use ko_eval_core::Error;
use ko_eval_testing::skip;
use ko_tokenize::{MorphemeAnalyzer, analyzer_by_name, by_name};
use std::sync::Arc;

/// An analyzer, if it is installed. Anything but an absence fails the test.
fn installed(name: &str) -> Option<Arc<dyn MorphemeAnalyzer>> {
    match analyzer_by_name(name) {
        Ok(analyzer) => Some(analyzer),
        Err(error @ Error::Missing { .. }) => {
            skip(name, &error.to_string());
            None
        }
        Err(error) => panic!("{name}: {error:?}"),
    }
}

fn written(analyzer: &dyn MorphemeAnalyzer, text: &str) -> Vec<String> {
    let morphemes = analyzer.analyze(text).unwrap_or_else(|error| panic!("{text:?}: {error:?}"));
    morphemes.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect()
}

fn check(name: &str) {
    let Some(analyzer) = installed(name) else { return };
    equals_its_original(name, &*analyzer);
    survives_odd_texts(name, &*analyzer);
    threads_agree(&*analyzer);
    let unit = by_name(name).unwrap();
    let forms: Vec<_> = unit.tokenize("밥을 했다.").unwrap().into_iter().collect();
    let morphemes = analyzer.analyze("밥을 했다.").unwrap();
    assert!(forms.iter().zip(&morphemes).all(|(token, m)| token.as_str() == m.form));
    let signature = analyzer.signature().to_string();
    let row = name.split(':').next().unwrap();
    assert!(
        signature.starts_with(&format!("{row}@")) && signature.contains("form:"),
        "{signature}"
    );
}

fn equals_its_original(name: &str, analyzer: &dyn MorphemeAnalyzer) {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../golden/analyzers.json")).unwrap();
    let mut compared = 0;
    for case in golden["cases"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let Some(expected) = case.get(name) else { continue };
        let expected: Vec<String> = serde_json::from_value(expected.clone()).unwrap();
        assert_eq!(written(analyzer, text), expected, "{text:?}");
        for morpheme in analyzer.analyze(text).unwrap() {
            assert!(text.get(morpheme.span.clone()).is_some(), "{text:?}: {morpheme:?}");
            assert!(analyzer.tag_set().sejong(&morpheme.tag).is_some(), "{text:?}: {morpheme:?}");
        }
        compared += 1;
    }
    assert!(compared > 10, "{name}: only {compared} texts");
}

/// No panic, no crash, no endless loop; an error is fine where the tool itself fails.
fn survives_odd_texts(name: &str, analyzer: &dyn MorphemeAnalyzer) {
    for text in ["", " ", "\t", "\n", "\r\n", "\0", " \0\n", "\u{3000}", "\u{a0}"] {
        let units = written(analyzer, text);
        assert!(units.is_empty() || name == "kiwi", "{text:?}: {units:?}");
    }
    let long = "밥을 먹었다. ".repeat(1250);
    assert_eq!(long.chars().count(), 10_000);
    for text in [
        "밥을\t먹고\n잤다.",
        "밥\0을\0\0먹자",
        "😀 좋아요👍🏽 👨‍👩‍👧",
        "가\u{200b}나\u{feff}",
        "\u{1112}\u{1161}\u{11ab}글",
        "나랏말ᄊᆞ미",
        "ㅋㅋㅋ ㅠㅠ",
        "a/b+c/d 합니다 // ++",
        "\n\n밥\n \n을\n",
        " \n밥",
        &"a".repeat(10_000),
        &"ㅋ".repeat(10_000),
        &long,
    ] {
        match analyzer.analyze(text) {
            Ok(morphemes) => {
                assert!(morphemes.iter().all(|m| text.get(m.span.clone()).is_some()), "{text:?}");
            }
            Err(error) => assert!(text.chars().count() == 10_000, "{text:?}: {error:?}"),
        }
    }
    assert!(!written(analyzer, "밥을 했다.").is_empty(), "it still works");
}

fn threads_agree(analyzer: &dyn MorphemeAnalyzer) {
    let text = "어제 저녁에 우리는 국밥을 먹었다.";
    let expected = written(analyzer, text);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..5).for_each(|_| assert_eq!(written(analyzer, text), expected)));
        }
    });
}

#[test]
fn kiwi() {
    check("kiwi");
    if installed("kiwi").is_some() {
        let home = ko_eval_io::home().join(format!("kiwi-{}", ko_tokenize::kiwi::VERSION));
        let damaged = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(home.join("model")).unwrap().map(Result::unwrap) {
            std::fs::write(damaged.path().join(file.file_name()), "no model").unwrap();
        }
        let built = ko_tokenize::kiwi::Kiwi::builder().model(damaged.path()).build();
        let error = built.map(drop).unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(cause.contains("cannot load the model"), "{cause}");
    }
}

#[test]
fn komoran() {
    check("komoran");
}

#[test]
fn okt() {
    check("okt");
}

#[test]
fn hannanum() {
    check("hannanum");
    check("hannanum:ntags=22");
    if let (Some(nine), Some(more)) = (installed("hannanum"), installed("hannanum:ntags=22")) {
        assert_ne!(nine.signature(), more.signature());
    }
}

/// Particles apart from their nouns, whoever analyses; endings stay.
#[test]
fn particles_are_words() {
    for name in ["kiwi", "komoran", "okt", "hannanum", "hannanum:ntags=22", "kkma"] {
        let separator = if name.contains(':') { ',' } else { ':' };
        let Some(analyzer) = installed(&format!("{name}{separator}level=particle")) else {
            continue;
        };
        let units = analyzer.tokenize("밥을 먹었다.").unwrap();
        let units: Vec<_> = units.iter().map(|unit| unit.as_str()).collect();
        assert_eq!(units, ["밥", "을", "먹었다", "."], "{name}");
        assert!(analyzer.signature().to_string().contains("level:particle"), "{name}");
    }
}

#[test]
fn kkma() {
    check("kkma");
    if let Some(kkma) = installed("kkma") {
        let error = kkma.analyze(&"가".repeat(1000)).unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(cause.contains("1000 syllables"), "{cause}");
    }
}

/// Without anything installed.
#[test]
fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let refusal = |spec: String| match by_name(&spec).map(drop) {
        Err(error @ Error::Missing { .. }) => error.to_string(),
        other => panic!("{spec}: {other:?}"),
    };
    for (name, file) in [
        ("komoran", "aho-corasick.jar"),
        ("okt", "OktInterface.class"),
        ("hannanum", "HannanumInterface.class"),
        ("kkma", "KkmaInterface.class"),
    ] {
        let error = refusal(format!("{name}:folder={path}"));
        assert!(error.contains(file) && error.contains("setup konlpy --accept-gpl"), "{error}");
    }
    let error = refusal(format!("kiwi:library={path}/libkiwi.so"));
    assert!(error.contains("libkiwi.so") && error.contains("ko-eval setup kiwi"), "{error}");
}
