//! What must hold for the explanations of every row with every declared word, at both ends of every range and in every
//! variant, whatever the texts: the parts add up to the score, and links lie in their texts.

use ko_eval_core::{Explanation, OwnedSegment, Scorer, Segment, explain::LinkKind};
use ko_eval_testing::cases;
use ko_ngram_metrics::{METRICS, by_name};
use proptest::{collection::vec, prelude::*, sample::select};

const UNITS: &[&str] = &["word", "char", "jamo"];

/// Any variant of any metric over any unit.
fn metrics() -> impl Strategy<Value = Box<dyn Scorer>> {
    let specs: Vec<String> = METRICS.iter().flat_map(|row| row.specs()).collect();
    (select(specs), select(UNITS))
        .prop_map(|(spec, unit)| by_name(&spec, ko_tokenize::by_name(unit).unwrap()).unwrap())
}

/// Korean of few words, so that texts share something; or anything at all.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => vec(select(&["비가", "온다", "눈이", "밥을", "먹었다.", "나는", "A"][..]), 0..12)
            .prop_map(|words| words.join(" ")),
        1 => vec(select(&["비가", "온다", "(눈이", "&amp;", "1,000원", "\n"][..]), 0..8)
            .prop_map(|words| words.join(" ")),
        1 => "[가-힣ㄱ-ㅣ a.\n]{0,30}",
        1 => any::<String>(),
    ]
}

fn segments() -> impl Strategy<Value = OwnedSegment> {
    (texts(), vec(texts(), 1..4)).prop_map(|(hyp, refs)| OwnedSegment::new(hyp, refs).unwrap())
}

/// Equal to nine places, relative to large numbers.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// The explanation is the score's, and its parts are what the links and formulas make of them.
fn check(explanation: &Explanation, segment: &Segment<'_>, scorer: &dyn Scorer) {
    let score = scorer.segment_score(segment).unwrap();
    let name = &explanation.signature;
    assert!(
        near(explanation.score.value, score.value),
        "{name}: {} {}",
        explanation.score.value,
        score.value
    );
    assert_eq!(explanation.score.flags, score.flags, "{name}");
    let found = explanation.recomputed().unwrap();
    assert!(near(found, score.value), "{name}: {found} is not {}", score.value);
    let last = explanation.parts.last().unwrap();
    assert_eq!(last.name, "score", "{name}");
    assert!(near(last.value, score.value), "{name}: {last:?}");
    for part in &explanation.parts {
        assert!(part.value.is_finite(), "{name}: {part:?}");
        assert!(!part.formula.to_string().is_empty());
    }
    for layer in &explanation.layers {
        assert_eq!(layer.references.len(), segment.references().len(), "{name}");
        let sides = std::iter::once(&layer.hypothesis).chain(&layer.references);
        for (units, text) in sides.zip(segment.texts()) {
            for unit in units {
                assert!(text.get(unit.span()).is_some(), "{name}: {unit:?} of {text:?}");
            }
        }
        for link in &layer.links {
            let own = link.hypothesis.start as usize..link.hypothesis.end as usize;
            assert!(layer.hypothesis.get(own.clone()).is_some(), "{name}: {link:?}");
            assert!(link.value.is_finite(), "{name}: {link:?}");
            let Some(place) = &link.reference else { continue };
            let theirs = layer.references[place.number as usize]
                .get(place.units.start as usize..place.units.end as usize)
                .unwrap_or_else(|| panic!("{name}: {link:?}"));
            let equal = matches!(
                link.kind,
                LinkKind::Match | LinkKind::NGram | LinkKind::Subsequence | LinkKind::Aligned
            );
            if equal {
                let own_texts =
                    layer.hypothesis[own].iter().map(|unit| unit.text(segment.hypothesis()));
                let text = segment.references()[place.number as usize];
                assert!(
                    own_texts.eq(theirs.iter().map(|unit| unit.text(text))),
                    "{name}: {link:?}"
                );
            }
        }
        assert_eq!(layer.hypothesis_roles().len(), layer.hypothesis.len());
        for (number, units) in layer.references.iter().enumerate() {
            assert_eq!(layer.reference_roles(number).len(), units.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(128, 4096)))]

    #[test]
    fn parts_add_up(metric in metrics(), segment in segments()) {
        let segment = segment.as_segment();
        let explanation = metric.explain(&segment).unwrap();
        check(&explanation, &segment, &*metric);
    }
}

#[test]
fn every_variant_adds_up() {
    let pairs = [
        (
            "나는 어제 밥을 많이 먹었다",
            vec!["나는 밥을 어제 먹었다", "어제 나는 죽을 많이 먹었어요"],
        ),
        ("비가 온다 또 비가 온다", vec!["비가 또 온다\n눈이 온다", "비가"]),
        ("먹었다", vec!["먹었다"]),
        ("A b", vec!["a B"]),
        ("", vec!["비가 온다"]),
        ("비가 온다", vec!["", ""]),
        ("", vec![""]),
    ];
    for spec in METRICS.iter().flat_map(|row| row.specs()) {
        for unit in UNITS {
            let metric = by_name(&spec, ko_tokenize::by_name(unit).unwrap()).unwrap();
            for (hypothesis, references) in &pairs {
                let segment = Segment::new(hypothesis, references).unwrap();
                check(&metric.explain(&segment).unwrap(), &segment, &*metric);
            }
        }
    }
}

/// The links of a kind: what of the hypothesis met what of which reference, and what it counts.
fn told(
    explanation: &Explanation,
    segment: &Segment<'_>,
    layer: usize,
    kind: LinkKind,
) -> Vec<String> {
    let layer = &explanation.layers[layer];
    let piece = |text: &str, span: Option<std::ops::Range<usize>>| {
        span.map(|span| text[span].to_owned()).unwrap_or_default()
    };
    let links = layer.links.iter().filter(|link| link.kind == kind);
    let told = links.map(|link| {
        let own = piece(segment.hypothesis(), layer.hypothesis_span(&link.hypothesis));
        let their = link.reference.as_ref().map(|place| {
            let text = segment.references()[place.number as usize];
            format!("{}@{}", piece(text, layer.reference_span(place)), place.number)
        });
        format!("{own}|{}|{}", their.unwrap_or_default(), link.value)
    });
    told.collect()
}

fn explain(spec: &str, unit: &str, segment: &Segment<'_>) -> Explanation {
    let metric = by_name(spec, ko_tokenize::by_name(unit).unwrap()).unwrap();
    let explanation = metric.explain(segment).unwrap();
    check(&explanation, segment, &*metric);
    explanation
}

#[test]
fn bleu_by_hand() {
    // 비가 stands three times, and twice in the second reference, which therefore counts.
    let segment = Segment::new("비가 비가 온다 비가", ["비가 온다", "또 비가 비가"]).unwrap();
    let found = explain("bleu:order=2", "word", &segment);
    assert_eq!(
        told(&found, &segment, 0, LinkKind::NGram),
        [
            "비가|비가@1|1",
            "비가|비가@1|1",
            "온다|온다@0|1",
            "비가 비가|비가 비가@1|1",
            "비가 온다|비가 온다@0|1"
        ]
    );
    assert_eq!(told(&found, &segment, 0, LinkKind::Clipped), ["비가||0"]);
    // Of 4 units 3 match, of 3 pairs 2; no penalty, because the nearest reference is shorter.
    assert_eq!((found.part("precision-1"), found.part("brevity-penalty")), (Some(75.0), Some(1.0)));
    assert!((found.score.value - (75.0f64 * 200.0 / 3.0).sqrt()).abs() < 1e-9);
}

#[test]
fn gleu_and_rouge_by_hand() {
    let segment = Segment::new("비가 많이 온다", ["눈이 온다", "비가 많이 내린다"]).unwrap();
    let found = explain("gleu", "word", &segment);
    assert_eq!(found.reference, Some(1));
    assert_eq!(
        told(&found, &segment, 0, LinkKind::NGram),
        ["비가|비가@1|1", "많이|많이@1|1", "비가 많이|비가 많이@1|1"]
    );
    assert_eq!((found.part("matches"), found.part("hypothesis-n-grams")), (Some(3.0), Some(6.0)));
    let found = explain("rouge-2", "word", &segment);
    assert_eq!(told(&found, &segment, 0, LinkKind::NGram), ["비가 많이|비가 많이@1|1"]);
    assert_eq!(found.score.value, 0.5);

    let segment = Segment::new("비가 온다 또 온다", ["오늘 비가 또 온다"]).unwrap();
    let found = explain("rouge-l", "word", &segment);
    assert_eq!(
        told(&found, &segment, 0, LinkKind::Subsequence),
        ["비가|비가@0|1", "또|또@0|1", "온다|온다@0|1"]
    );
    assert_eq!(found.score.value, 0.75);
    let segment = Segment::new("비가 온다\n나는 간다", ["나는 간다\n비가 또 온다"]).unwrap();
    let found = explain("rouge-lsum", "word", &segment);
    assert_eq!(
        told(&found, &segment, 0, LinkKind::Subsequence),
        ["나는|나는@0|1", "간다|간다@0|1", "비가|비가@0|1", "온다|온다@0|1"]
    );
}

#[test]
fn nist_by_hand() {
    // Of four units of the reference 비가 is two, 온다 one: log2(4/2) and log2(4/1).
    let segment = Segment::new("비가 온다", ["비가 온다 또 비가"]).unwrap();
    let found = explain("nist:order=1", "word", &segment);
    assert_eq!(told(&found, &segment, 0, LinkKind::NGram), ["비가|비가@0|1", "온다|온다@0|2"]);
    assert_eq!(found.part("information-1"), Some(1.5));
}

#[test]
fn chrf_by_hand() {
    let segment = Segment::new("밥을 먹다.", ["밥을 먹고"]).unwrap();
    let found = explain("chrf:char-order=2,word-order=1", "word", &segment);
    assert_eq!(
        told(&found, &segment, 0, LinkKind::NGram),
        ["밥|밥@0|1", "을|을@0|1", "먹|먹@0|1", "밥을|밥을@0|1", "을 먹|을 먹@0|1"]
    );
    assert_eq!(told(&found, &segment, 1, LinkKind::NGram), ["밥을|밥을@0|1"]);
    let [p, r] = [(3.0 / 5.0, 3.0 / 4.0), (2.0 / 4.0, 2.0 / 3.0), (1.0 / 3.0, 1.0 / 2.0)]
        .into_iter()
        .fold([0.0, 0.0], |[p, r], (a, b)| [p + a / 3.0, r + b / 3.0]);
    assert!((found.score.value - 100.0 * 5.0 * p * r / (4.0 * p + r)).abs() < 1e-9);
}

#[test]
fn ter_by_hand() {
    let segment = Segment::new("어제 나는 밥을 먹었다", ["나는 밥을 어제 먹었어요 정말"]).unwrap();
    let found = explain("ter", "word", &segment);
    assert_eq!(told(&found, &segment, 0, LinkKind::Shift), ["어제|어제@0|1"]);
    assert_eq!(
        told(&found, &segment, 0, LinkKind::Match),
        ["나는|나는@0|1", "밥을|밥을@0|1", "어제|어제@0|1"]
    );
    assert_eq!(found.part("edits"), Some(3.0));
    assert_eq!(found.score.value, 60.0);
}

#[test]
fn character_and_eed_by_hand() {
    let segment = Segment::new("어제 나는 밥을 먹었다", ["나는 밥을 어제 먹었고"]).unwrap();
    let found = explain("character", "word", &segment);
    // Moving 어제 costs its two characters; 다 became 고.
    assert_eq!(told(&found, &segment, 0, LinkKind::Shift), ["어제||2"]);
    assert_eq!(told(&found, &segment, 0, LinkKind::Substitution), ["다|고@0|1"]);
    assert_eq!(found.score.value, 3.0 / 12.0);

    let segment = Segment::new("비가 온다", ["비가 온다"]).unwrap();
    let found = explain("eed", "word", &segment);
    assert_eq!(found.part("edits"), Some(0.0));
    assert_eq!(told(&found, &segment, 0, LinkKind::Match).len(), 7);
    // Only the place before the first character is never visited.
    assert_eq!(found.part("uneven-visits"), Some(1.0));
    assert!((found.score.value - 0.3 / 7.3).abs() < 1e-12);
}

#[test]
fn ribes_and_meteor_by_hand() {
    let segment = Segment::new("먹었다 나는 밥을 어제", ["나는 어제 밥을 먹었다"]).unwrap();
    let found = explain("ribes", "word", &segment);
    assert_eq!(
        told(&found, &segment, 0, LinkKind::Aligned),
        ["먹었다|먹었다@0|1", "나는|나는@0|1", "밥을|밥을@0|1", "어제|어제@0|1"]
    );
    assert_eq!((found.part("pairs"), found.part("pairs-in-order")), (Some(6.0), Some(2.0)));

    let segment = Segment::new("나는 밥을 어제 먹었다", ["어제 나는 밥을 먹었다"]).unwrap();
    let found = explain("meteor", "word", &segment);
    assert_eq!(
        told(&found, &segment, 0, LinkKind::Chunk),
        ["나는 밥을|나는 밥을@0|1", "어제|어제@0|1", "먹었다|먹었다@0|1"]
    );
    // (1 − 0.5 · (3/4)³) · 1
    assert!((found.score.value - (1.0 - 0.5 * 0.421_875)).abs() < 1e-12);
}
