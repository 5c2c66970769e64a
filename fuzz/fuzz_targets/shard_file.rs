//! Statistics in files, damaged: an error, or the very same score. With a digest that fits what was changed: an error, or a score that
//! is possible.
#![no_main]

use ko_eval_core::{MetricEntry, Segment, Shard, Spec};
use ko_eval_fuzz::damaged;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

struct Seed {
    row: &'static MetricEntry,
    spec: String,
    score: f64,
}

const UNIT: &str = "jamo";

/// Every row that needs no model in every variant, and its statistics of a few segments.
static SEEDS: LazyLock<(Vec<Seed>, Vec<Vec<u8>>)> = LazyLock::new(|| {
    let texts = [
        ("나는 밥을 먹었습니다. 비가 와요.", "저는 밥을 먹었어요. 비가 온다."),
        ("비가 온다", "비가 많이 온다"),
        ("", "눈"),
    ];
    let segments =
        texts.map(|(hyp, reference)| Segment::new(hyp, [reference]).expect("a reference"));
    let (mut seeds, mut files) = (Vec::new(), Vec::new());
    for row in ko_eval::METRICS {
        for spec in row.specs() {
            let Ok(metric) = ko_eval::metric(&spec, UNIT) else { continue };
            let Ok(shard) = metric.shard(&segments) else { continue };
            let shard = shard.with_unit(Some(UNIT.into()));
            let score = metric
                .merge_shards(std::slice::from_ref(&shard))
                .expect("its own shard")
                .score
                .value;
            seeds.push(Seed { row, spec, score });
            files.push(serde_json::to_vec(&shard).expect("statistics"));
        }
    }
    (seeds, files)
});

fuzz_target!(|data: &[u8]| {
    let (seeds, files) = &*SEEDS;
    let Some((choice, data)) = data.split_at_checked(2) else { return };
    let number = usize::from(u16::from_le_bytes([choice[0], choice[1]]));
    let (sealed, number) = (number % 2 == 0, number / 2 % seeds.len());
    let Seed { row, spec, score } = &seeds[number];
    let file = damaged(data, &files[number..=number]);
    let Ok(mut shard) = serde_json::from_slice::<Shard>(&file) else { return };
    if sealed {
        shard = shard.sealed();
    }
    let as_written = !sealed && shard.digest.is_some();
    let Ok(found) = ko_eval::LIBRARY.merge(spec, std::slice::from_ref(&shard)) else { return };
    if as_written {
        assert_eq!(found.score.value, *score, "{spec}");
        assert_eq!(shard.unit.as_deref(), Some(UNIT), "{spec}");
    }
    assert!(found.score.details.iter().all(|detail| detail.value.is_finite()), "{spec}");
    // Twice as much of what can be true can be true, or is more than can be counted.
    if let Ok(found) = ko_eval::LIBRARY.merge(spec, &[shard.clone(), shard]) {
        let (least, most) =
            row.range_under(&spec.parse::<Spec>().expect("one of the row's").params).into_inner();
        assert!((least - 1e-9..=most + 1e-9).contains(&found.score.value), "{spec}");
    }
});
