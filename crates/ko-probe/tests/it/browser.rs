//! The report in a real browser: curves by layer and tables, fitted to phones and screens, read by day and by night, in both languages.
//!
//! Where there is no Chromium the test says that it is skipped.

use ko_eval_core::{Result, Signature};
use ko_eval_model::{Embeddings, LayeredEmbedder};
use ko_eval_testing::browser::{browser, fits, is_labelled, is_readable_by_day_and_by_night};
use ko_meta_eval::report::Language;
use ko_probe::{
    Classifier, Control, Dataset, DescriptionLength, Experiment, ProbeReport, Subject, embedders,
    senteval,
};
use std::{path::Path, sync::Arc};

const HOSTILE: &str = "<img src=x onerror='window.broken=1'>";

/// As many layers as a base model, each with more drawers for n-grams than the one before.
#[derive(Debug)]
struct Growing([usize; 13]);

impl LayeredEmbedder for Growing {
    fn layers(&self) -> &[usize] {
        &self.0
    }

    fn layer_signature(&self, layer: usize) -> Signature {
        Signature::new("growing").with("layer", layer)
    }

    fn embed_layers(&self, texts: &[&str]) -> Result<Vec<Embeddings>> {
        let of = |layer: &usize| embedders::by_name(&format!("ngrams:dim={}", 1 + 2 * layer));
        self.0.iter().map(|layer| of(layer)?.embed(texts)).collect()
    }
}

/// Sentences of a task that ends of words tell.
fn data(task: &str, ends: [&str; 2]) -> Dataset {
    let line = |n: usize| {
        let end = ends[n % 2];
        let part = ["tr", "tr", "va", "te"][n / 2 % 4];
        format!("{part}\t{}\t{} {n}번 {end}\n", ["하나", "둘"][n % 2], ["비가", "눈이"][n / 2 % 2])
    };
    let lines: String = (0..80).map(line).collect();
    senteval::read(task, "t.txt", std::io::Cursor::new(lines)).unwrap()
}

fn write(folder: &Path, language: Language) {
    let sets = [
        data("SentLen", ["온다.", "아주 많이 온다."]),
        data("TreeDepth", ["와서 젖었다.", "왔다."]),
        data("SubjOmission", ["오네.", "와."]),
        data("Tense", ["왔다.", "온다."]),
        data("SentType", ["오니?", "온다."]),
        data("Negation", ["안 온다.", "온다."]),
        data("Honorifics", ["옵니다.", "온다."]),
        data("SOMO", ["온다.", "간다."]),
        data("CoordInv", ["오고 젖었다.", "젖었고 온다."]),
    ];
    let layers = || Arc::new(Growing(std::array::from_fn(|layer| layer)));
    let subjects = [Subject::layers("자라는 모델", layers()), Subject::layers(HOSTILE, layers())];
    let classifier = Classifier::new().linear().penalties(&[1e-5]).unwrap().max_epochs(4);
    let findings = Experiment::new()
        .classifier(classifier)
        .control(Control::RandomLabels)
        .description_length(DescriptionLength::OnlineCode)
        .seeds(2)
        .unwrap()
        .run(&subjects, &sets, &())
        .unwrap();
    ProbeReport::new(&findings).language(language).document().write(folder).unwrap();
}

#[test]
fn the_report_works_in_a_browser() {
    let Some(mut tab) = browser("the report of probes in a browser") else { return };
    for language in [Language::Korean, Language::English] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), language);
        tab.width(1400);
        tab.go(&folder.path().join("report.html"), "");
        assert_eq!(tab.eval("document.documentElement.lang"), language.code());
        assert_eq!(tab.eval("typeof window.broken"), "undefined");
        for width in [390, 800, 1400] {
            fits(&mut tab, width);
            // No name of a layer lies on another.
            let apart = "[...document.querySelectorAll('svg')].filter(s => s.checkVisibility()).every(s => { \
                const at = [...s.querySelectorAll('text:not([transform])')].map(t => t.getBoundingClientRect()); \
                return at.every((a, i) => at.every((b, j) => i >= j || a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 3 || b.bottom <= a.top + 3)) })";
            assert_eq!(tab.eval(apart), true, "{width}");
        }
        is_labelled(&mut tab);
        is_readable_by_day_and_by_night(&mut tab);
        // Means, three properties and the rivals of every task; accuracy and compression.
        assert_eq!(tab.eval("document.querySelectorAll('figure').length"), 1 + 8 + 10 + 8);
    }
}
