//! sacreBLEU's signatures, followed and written: what it printed itself is given, and must come back.

use crate::common::{failure, json, run, run_with, sample};
use std::ffi::OsStr;

/// Needs sacreBLEU's dictionary: `cargo xtask setup sacrebleu-dictionary`, which `cargo xtask test` does.
#[test]
fn the_lines_that_sacrebleu_prints_come_back() {
    let golden = include_str!("../golden/sacrebleu.txt");
    assert_eq!(golden.lines().count(), 22);
    let (hyp, first, second) =
        (sample("blunt.txt"), sample("reference.txt"), sample("reference2.txt"));
    for line in golden.lines() {
        let mut args: Vec<&dyn AsRef<OsStr>> = vec![&"score", &"--format", &"json", &"--sacrebleu"];
        args.extend([&"--hyp" as &dyn AsRef<_>, &hyp, &"--ref", &first, &"--signature", &line]);
        if line.contains("nrefs:2") {
            args.extend([&"--ref" as &dyn AsRef<_>, &second]);
        }
        let scores = &json(&run(&args))["scores"];
        assert_eq!(scores.as_array().unwrap().len(), 1);
        assert_eq!(scores[0]["sacrebleu"], *line);
    }
}

#[test]
fn other_units_have_no_line_of_sacrebleu() {
    let (hyp, reference) = (sample("blunt.txt"), sample("reference.txt"));
    let args: [&dyn AsRef<OsStr>; 12] = [
        &"score",
        &"--hyp",
        &hyp,
        &"--ref",
        &reference,
        &"--metric",
        &"bleu",
        &"--unit",
        &"jamo",
        &"--sacrebleu",
        &"--format",
        &"json",
    ];
    let scores = &json(&run(&args))["scores"];
    assert!(scores[0].get("sacrebleu").is_none(), "{scores}");
}

#[test]
fn what_cannot_be_honoured_is_named() {
    let (hyp, reference) = (sample("blunt.txt"), sample("reference.txt"));
    let told = |signature: &str| {
        let args: [&dyn AsRef<OsStr>; 7] =
            [&"score", &"--hyp", &hyp, &"--ref", &reference, &"--signature", &signature];
        failure(&run(&args))
    };
    for (signature, expected) in [
        (
            "nrefs:1|case:mixed|eff:no|tok:ja-mecab|smooth:exp|version:2.6.0",
            "`tok` cannot be `ja-mecab`",
        ),
        (
            "nrefs:1|case:mixed|eff:no|tok:ko-mecab-0.997/ko-0.9.3-KO|smooth:exp|version:2.6.0",
            "`tok` cannot be `ko-mecab-0.997",
        ),
        (
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:linear|version:2.6.0",
            "`smooth` cannot be `linear`",
        ),
        (
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[x]|version:2.6.0",
            "`smooth` cannot be `floor[x]`",
        ),
        ("nrefs:1|case:upper|eff:no|tok:13a|smooth:exp|version:2.6.0", "`case` cannot be `upper`"),
        (
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:1.5.1",
            "`version` cannot be `1.5.1`",
        ),
        (
            "nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
            "`bs` cannot be `1000`",
        ),
        ("nrefs:1|case:mixed|eff:no|smooth:exp|version:2.6.0", "`tok` cannot be ``"),
        (
            "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|norm:no|version:2.6.0",
            "`norm` cannot be `no`",
        ),
        (
            "TER|nrefs:1|case:lc|tok:13a|norm:no|punct:yes|asian:no|version:2.6.0",
            "`tok` cannot be `13a`",
        ),
        ("COMET|nrefs:1|version:2.6.0", "expected a signature of BLEU, chrF or TER"),
        ("BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a", "not a signature"),
        ("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", "nrefs:2"),
    ] {
        let error = told(signature);
        assert!(error.contains(expected), "{signature}: {error}");
    }
}

#[test]
fn the_short_form_is_the_same() {
    let pairs = "{\"hyp\": \"나는 밥을 먹었다.\", \"refs\": [\"나는 밥을 먹었어요.\", \"밥을 먹었다\"]}\n{\"hyp\": \"비가 온다\", \"refs\": [\"비가 온다.\"]}\n";
    let score = |signature: &str| {
        let args: [&dyn AsRef<OsStr>; 8] = [
            &"score",
            &"--pairs",
            &"-",
            &"--signature",
            &signature,
            &"--sacrebleu",
            &"--format",
            &"json",
        ];
        json(&run_with(pairs.as_bytes(), &args))["scores"][0].clone()
    };
    for (long, short) in [
        (
            "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
            "#:var|c:mixed|e:no|tok:13a|s:exp|v:2.6.0",
        ),
        (
            "nrefs:var|case:lc|eff:yes|nc:6|nw:2|space:no|version:2.6.0",
            "#:var|c:lc|e:yes|nc:6|nw:2|s:no|v:2.6.0",
        ),
        (
            "nrefs:var|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0",
            "#:var|c:lc|t:tercom|nr:no|pn:yes|as:no|v:2.6.0",
        ),
    ] {
        assert_eq!(score(long), score(short));
        assert!(score(long)["sacrebleu"].as_str().unwrap().contains(long), "{}", score(long));
    }
}
