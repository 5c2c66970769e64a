//! Specifications, signatures and sacreBLEU's signatures, damaged: an error, or what reads back from what is written; and what a signature of sacreBLEU asks for can be built.
#![no_main]

use ko_eval_core::{Recorded, Signature, Spec};
use ko_eval_fuzz::text;
use ko_ngram_metrics::sacrebleu::Published;
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let texts = [
        "bleu:order=2,smooth=floor,smooth-value=0.1",
        "subword:vocab=a.json,unknown=token",
        "bleu|order:4|smooth:exp|tok:{word|norm:nfc}|nrefs:1",
        "nrefs:1|case:lc|eff:no|tok:ko-mecab-0.996/ko-0.9.2-KO|smooth:floor[0.10]|version:2.6.0",
        "chrF2++|nrefs:var|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.4.1 = 34.0",
        "TER|#:2|c:mixed|t:tercom|nr:no|pn:yes|as:no|v:2.6.0",
    ];
    let own = ko_eval::METRICS.iter().filter(|row| row.is_over_units()).map(|row| {
        ko_eval::metric(row.name, "jamo").expect("a row of the table").signature().to_string()
    });
    texts.iter().map(|text| text.to_string()).chain(own).map(String::into_bytes).collect()
});

fuzz_target!(|data: &[u8]| {
    let text = text(data, &SEEDS);
    if let Ok(spec) = text.parse::<Spec>() {
        let written = spec.to_string();
        assert_eq!(written.parse::<Spec>().expect("what was written").to_string(), written);
        if let Ok(row) = ko_eval_core::MetricEntry::find(ko_eval::METRICS, spec.name()) {
            let _ = row.recorded(&spec, &Signature::new("x"));
        }
    }
    if let Ok(signature) = text.parse::<Signature>() {
        assert_eq!(
            signature.to_string().parse::<Signature>().expect("what was written"),
            signature
        );
    }
    if let Ok(published) = text.parse::<Published>() {
        let unit = Arc::new(Recorded::new(Signature::new("unit")));
        ko_ngram_metrics::by_name(&published.metric, unit).expect("what a signature asks for");
    }
});
