//! What holds for every row: the whole is its merged parts, scores lie in their range, signatures are enough to merge.

use ko_eval_core::{Library, Segment, Signature, Spec};
use ko_register::{METRICS, SpeechLevel, metrics::Target};

const LIBRARY: Library =
    Library { metrics: METRICS, unit: ko_tokenize::by_name, unit_row: ko_tokenize::declared };

/// Every row with its variants. KOSMIC's likeness in meaning comes from a row of this table, as it could from any.
fn specs() -> Vec<(&'static ko_eval_core::MetricEntry, String)> {
    let specs = METRICS.iter().flat_map(|row| row.specs().into_iter().map(move |spec| (row, spec)));
    let with_sts = |(row, spec): (&'static ko_eval_core::MetricEntry, String)| {
        if row.name != "kosmic-grammar" {
            return (row, spec);
        }
        let separator = if spec.contains(':') { "," } else { ":" };
        (row, format!("{spec}{separator}sts=honorifics"))
    };
    specs.map(with_sts).collect()
}

const TEXTS: &[(&str, &str)] = &[
    ("할머니께서 오셨어요.", "할머니가 왔어."),
    ("어디 가니? 집에 갑니다.", "어디 가세요? 집에 가요."),
    ("서울의 봄", "부산의 여름"),
    ("", ""),
    ("문 좀 닫아 주시겠습니까", "문 닫아라"),
    ("그건 제가 드린 말씀인데", "내가 한 말이야"),
];

fn segments() -> Vec<Segment<'static>> {
    TEXTS
        .iter()
        .map(|(hypothesis, reference)| Segment::new(hypothesis, [*reference]).unwrap())
        .collect()
}

#[test]
fn scores_lie_in_their_range_and_shards_make_the_whole() {
    let segments = segments();
    for (row, spec) in specs() {
        let metric = LIBRARY.metric(&spec, "word").unwrap();
        let params = spec.parse::<Spec>().unwrap().params;
        let measured = metric.measure(&segments).unwrap();
        let whole = measured.corpus_score().unwrap();
        for score in measured.segment_scores().unwrap().iter().chain([&whole.score]) {
            assert!(row.range_under(&params).contains(&score.value), "{spec}: {score:?}");
        }
        let (first, second) = segments.split_at(2);
        let shards = [metric.shard(&second).unwrap(), metric.shard(&first).unwrap()];
        assert_eq!(metric.merge_shards(&shards).unwrap().score, whole.score, "{spec}");
        let recorded = LIBRARY.recorded(&spec, &shards[0]).unwrap();
        assert_eq!(
            recorded.merge_shards(&shards).unwrap().score.value,
            whole.score.value,
            "{spec}"
        );
        let signature = metric.signature();
        assert_eq!(signature.to_string().parse::<Signature>().unwrap(), signature);
    }
}

#[test]
fn equal_texts_agree_wholly() {
    for name in ["register", "honorifics"] {
        let metric = LIBRARY.metric(name, "word").unwrap();
        for (text, _) in TEXTS.iter().filter(|(text, _)| text.contains(['.', '까'])) {
            let score = metric.segment_score(&Segment::new(text, [*text]).unwrap()).unwrap();
            assert_eq!(score.value, 100.0, "{name}: {text}");
        }
    }
}

#[test]
fn no_reference_is_needed_where_none_is_used() {
    let alone = Segment::alone("도착했습니다. 곧 나갈게.");
    for (spec, expected) in
        [("register:target=polite", 50.0), ("register:target=plain,by=text", 100.0)]
    {
        let score = LIBRARY.metric(spec, "word").unwrap().segment_score(&alone).unwrap();
        assert_eq!(score.value, expected, "{spec}");
    }
    assert!(LIBRARY.metric("register-consistency", "word").unwrap().segment_score(&alone).is_ok());
    assert!(LIBRARY.metric("register", "word").unwrap().segment_score(&alone).is_err());
}

#[test]
fn wrong_settings_say_what_would_be_right() {
    for (spec, expected) in [
        ("register:target=loud", "해요체"),
        ("register:by=word", "one of sentence, text"),
        ("kosmic-grammar:sts=honorifics,weights=1/1", "sum to 1"),
        ("kosmic-grammar:sts=honorifics,weights=1/1/1", "sum to 1"),
        ("honorifics:analyzer=nobody", "nobody"),
    ] {
        let message = LIBRARY.metric(spec, "word").unwrap_err().to_string();
        assert!(message.contains(expected), "{spec}: {message}");
    }
    for level in SpeechLevel::ALL {
        assert_eq!(level.name().parse::<Target>().unwrap(), Target::Level(*level));
    }
}

#[test]
fn explanations_add_up() {
    let mut cases = 0;
    for (_, spec) in specs() {
        let metric = LIBRARY.metric(&spec, "none").unwrap();
        for (hypothesis, first) in TEXTS {
            for (second, _) in TEXTS {
                let segment = Segment::new(hypothesis, [*first, *second]).unwrap();
                let explanation = metric.explain(&segment).unwrap();
                let score = metric.segment_score(&segment).unwrap();
                assert_eq!(explanation.score, score, "{spec}: {segment:?}");
                let found = explanation.recomputed().unwrap();
                assert!((found - score.value).abs() < 1e-9, "{spec}: {segment:?}: {found}");
                for layer in &explanation.layers {
                    let sides = std::iter::once(&layer.hypothesis).chain(&layer.references);
                    for (units, text) in sides.zip(segment.texts()) {
                        assert!(units.iter().all(|unit| text.get(unit.span()).is_some()));
                    }
                }
                cases += 1;
            }
        }
    }
    assert!(cases >= 36 * METRICS.len(), "{cases}");
}

#[test]
fn evidence_is_the_ending_and_the_honorific() {
    let metric = LIBRARY.metric("register:analyzer=endings", "none").unwrap();
    let segment = Segment::new("비가 와요. 우산 있어?", ["비가 옵니다. 우산 있습니까?"]).unwrap();
    let explanation = metric.explain(&segment).unwrap();
    let layer = &explanation.layers[0];
    let shown: Vec<(&str, &str)> = layer
        .links
        .iter()
        .map(|link| {
            let span = layer.hypothesis_span(&link.hypothesis).unwrap();
            (&segment.hypothesis()[span], link.label.as_deref().unwrap())
        })
        .collect();
    assert_eq!(shown, [("와요", "해요체 / 하십시오체"), ("있어", "해체 / 하십시오체")]);

    let metric = LIBRARY.metric("honorifics:analyzer=endings", "none").unwrap();
    let segment = Segment::new("할머니께서 왔어요.", ["할머니께서 오셨어요."]).unwrap();
    let explanation = metric.explain(&segment).unwrap();
    // Of 께서, and 께서 with -시-, one is shared: 2 · 1 / 3.
    assert_eq!(explanation.part("matched"), Some(1.0));
    assert_eq!(explanation.part("hypothesis-marks"), Some(1.0));
    assert_eq!(explanation.part("reference-marks"), Some(2.0));
    assert!((explanation.score.value - 200.0 / 3.0).abs() < 1e-9);
}
