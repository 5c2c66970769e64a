//! What must hold for the explanations of every row with every declared word, at both ends of every range and in every
//! variant, whatever the texts: the parts add up to the score, and links lie in their texts.

use ko_eval_core::{Explanation, OwnedSegment, Scorer, Segment, explain::LinkKind};
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
    #![proptest_config(ProptestConfig::with_cases(4096))]

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
