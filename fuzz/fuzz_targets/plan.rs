//! Plans of meta-evaluation in TOML, damaged: an error, or a plan that is the same when it is written and read again.
#![no_main]

use ko_eval_fuzz::text;
use ko_meta_eval::Plan;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let plan = "title = \"어느 단위?\"\nreferences = ['ref.txt', 'ref2.txt']\nsource = 'src.txt'\nhuman = 'human.tsv'\ndocuments = 'docs.txt'\nquotes = 'straight'\ncleanup = { drop-first = 10, scale = 'raw', outliers = 'of-judge' }\nmetrics = ['bleu:order=2', 'chrf']\nunits = ['char', 'bridge:run']\n[[systems]]\nname = '갑'\noutput = 'a.txt'\n[[systems]]\nname = '을'\noutput = 'b.txt'\n";
    vec![plain(plan)]
});

fn plain(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fuzz_target!(|data: &[u8]| {
    let Ok(plan) = toml::from_str::<Plan>(&text(data, &SEEDS)) else { return };
    let written = toml::to_string(&plan).expect("a plan");
    assert_eq!(toml::from_str::<Plan>(&written).expect("what was written"), plan);
});
