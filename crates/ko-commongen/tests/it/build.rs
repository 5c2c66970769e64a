//! A small data set built from files, built again, and built after people looked at it.

use crate::recorded;
use ko_commongen::{
    BadLines, BioTagger, BuildOptions, BuildParts, BuildReport, Clean, Concepts, Extractor,
    Flagger, Input, NgramFlagger, Pipeline, Rule, Selection, Source, Split, TokenOverlap,
    WithoutEntities, WithoutTags, build, entity::TaggerTraining, ethics::Comment, read_items,
};
use ko_eval_core::{Result, Signature, Signed};
use std::{fs, path::Path, sync::Arc};

const CAPTIONS: &str = "\
아이가 공원에서 빨간 공을 찬다.
아이가 공원에서 빨간 공을 던진다.
아이가 공원에서 빨간 공을 줍는다.
소녀가 공원에서 빨간 꽃을 본다.
강아지가 마당에서 빨간 공을 문다.
  아이가 공원에서  빨간 공을 찬다.
비가 오니?
weather가 좋다.
";

const DIALOGUES: &str = "\
할머니가 시장에서 신선한 배추를 산다.\t대화 1
할머니가 부엌에서 신선한 배추를 씻는다.\t대화 2
남자가 부엌에서 뜨거운 국을 끓인다.
여자가 부엌에서 뜨거운 국을 먹는다.
소년이 마당에서 긴 막대를 든다.
학생이 교실에서 두꺼운 책을 읽는다.
학생이 도서관에서 두꺼운 책을 빌린다.
선생님이 교실에서 두꺼운 책을 편다.
서울에서 빨간 버스를 탄다.
멍청한 바보가 교실에서 긴 막대를 든다.
비가 온다.
";

fn pipeline() -> Pipeline {
    let labelled = ["<소녀:PS>가 길에서 논다.", "<소녀:PS>는 빨간 꽃을 산다.", "<소녀:PS>가 간다."];
    let labelled = labelled.into_iter().chain(DIALOGUES.lines()).chain(CAPTIONS.lines().take(3));
    let labelled: Vec<_> = labelled.map(|line| line.parse().unwrap()).collect();
    let tagger = BioTagger::train(&labelled, &TaggerTraining::default()).unwrap();
    Pipeline::new()
        .stage(Clean::new())
        .stage(Concepts::new(recorded::analyzer(), Rule::AsPublishedFiles).sizes(3..=7).unwrap())
        .stage(WithoutTags::as_published_files())
        .stage(WithoutEntities::new(Arc::new(tagger), ["PS"]).unwrap())
}

fn flagger() -> NgramFlagger {
    let harmless = DIALOGUES.lines().take(8).chain(CAPTIONS.lines().take(5));
    let offensive = [
        "멍청한 바보가 교실에 온다.",
        "멍청한 바보가 긴 막대를 산다.",
        "멍청한 바보가 잔다.",
        "바보가 교실에서 논다.",
    ];
    let comment = |text: &str, offensive| Comment { text: text.into(), offensive };
    let comments: Vec<_> = harmless
        .map(|text| comment(text, false))
        .chain(offensive.iter().map(|text| comment(text, true)))
        .collect();
    NgramFlagger::train(&comments, 1).unwrap()
}

fn run(folder: &Path) -> BuildReport {
    run_with(folder, Some(&flagger()))
}

fn run_with(folder: &Path, flagger: Option<&dyn Flagger>) -> BuildReport {
    let options = BuildOptions {
        inputs: vec![
            Input::new(folder.join("dialogues.tsv"), Source::Dialogue),
            Input::new(folder.join("captions.txt"), Source::Caption),
        ],
        folder: folder.join("out"),
        selection: Selection::default(),
        split: Split { validation: 1, test: 2, references: 3, seed: 42 },
        bad_lines: BadLines::Refuse,
    };
    let similarity = TokenOverlap::new(Arc::new(ko_tokenize::Word::new()));
    let pipeline = pipeline();
    let parts = BuildParts { pipeline: &pipeline, similarity: Some(&similarity), flagger };
    build(&options, &parts, &()).unwrap()
}

#[test]
fn a_kind_that_is_never_found_is_refused() {
    let labelled = ["<소녀:PS>가 길에서 논다.".parse().unwrap()];
    let tagger = Arc::new(BioTagger::train(&labelled, &TaggerTraining::default()).unwrap());
    let error = WithoutEntities::new(tagger.clone(), ["PS,LC"]).unwrap_err().to_string();
    assert!(error.contains("PS,LC") && error.contains("knows: PS"), "{error}");
    assert!(WithoutEntities::new(tagger, ["PS"]).is_ok());
}

#[test]
fn from_sentences_to_sets() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("captions.txt"), CAPTIONS).unwrap();
    fs::write(folder.path().join("dialogues.tsv"), DIALOGUES).unwrap();

    let report = run(folder.path());
    assert_eq!(report.resumed, [""; 0]);
    assert_eq!(report.sentences.sentences, 19);
    let dropped = |stage: usize, reason: &str| report.sentences.stages[stage].dropped[reason];
    assert_eq!((dropped(0, "not-a-statement"), dropped(0, "foreign-word")), (1, 1));
    assert_eq!((dropped(1, "too-few"), dropped(2, "NNP")), (1, 1));
    assert_eq!((dropped(3, "PS"), dropped(4, "duplicate")), (1, 1));
    assert_eq!(report.sentences.stages[4].kept, 13);
    let table = report.sentences.to_string();
    assert!(table.contains("without-tags") && table.contains("NNP −1"), "{table}");

    // Of three sentences about a red ball in the park, a concept keeps two; each has a verb of its own.
    assert_eq!(report.selected, 13);
    let ethics = report.ethics.clone();
    assert_eq!((ethics.flagged, ethics.open, ethics.kept_by_people, ethics.kept), (1, 1, 0, 12));
    assert_eq!((ethics.by_label["hate"], ethics.by_several), (1, 0));
    let sets = &report.sets;
    assert_eq!((sets.test.sets, sets.validation.sets, sets.train.sets), (2, 1, 9));
    assert_eq!(sets.test_unseen.triples.all, sets.test.triples);

    // Both forms hold the same items, captions come first, and high-level sets lack one concept.
    let read = |name: &str| {
        read_items(folder.path().join("out").join(name), BadLines::Refuse).unwrap().into_values()
    };
    let train = read("train.jsonl");
    assert_eq!(read("train.txt"), train);
    let is_caption = |text: &str| CAPTIONS.contains(text);
    let captions = train.iter().take_while(|item| is_caption(&item.references()[0])).count();
    assert!(train[captions..].iter().all(|item| !is_caption(&item.references()[0])));
    for (whole, fewer) in train.iter().zip(read("high-level-42.jsonl")) {
        assert_eq!(fewer.concepts().len() + 1, whole.concepts().len());
        assert!(fewer.concepts().iter().all(|concept| whole.concepts().contains(concept)));
    }

    // Nothing changed, so nothing runs again.
    let again = run(folder.path());
    assert_eq!(again.resumed, ["sentences", "select", "ethics", "split"]);
    assert_eq!(BuildReport { resumed: Vec::new(), ..again }, report);

    // People found the flagged sentence harmless.
    let review = folder.path().join("out/review.tsv");
    let rows = fs::read_to_string(&review).unwrap();
    assert!(rows.starts_with("open\t") && rows.contains("바보가"), "{rows}");
    fs::write(&review, rows.replace("open", "keep")).unwrap();
    let reviewed = run(folder.path());
    assert_eq!(reviewed.resumed, ["sentences", "select"]);
    assert_eq!((reviewed.ethics.kept_by_people, reviewed.ethics.kept), (1, 13));
    assert_eq!(run(folder.path()).resumed.len(), 4);

    // A changed input starts from the beginning.
    fs::write(folder.path().join("captions.txt"), CAPTIONS.replace("비가 오니?\n", "")).unwrap();
    assert_eq!(run(folder.path()).resumed, [""; 0]);
}

/// Flags what has this word.
#[derive(Debug)]
struct ByWord(&'static str);

impl Signed for ByWord {
    fn signature(&self) -> Signature {
        Signature::new("by-word").with("word", self.0)
    }
}

impl Flagger for ByWord {
    fn labels(&self) -> Vec<String> {
        vec!["hate".into()]
    }

    fn probabilities(&self, texts: &[&str]) -> Result<Vec<Vec<f64>>> {
        Ok(texts.iter().map(|text| vec![f64::from(u8::from(text.contains(self.0)))]).collect())
    }

    fn threshold(&self) -> f64 {
        0.5
    }
}

#[test]
fn decisions_outlive_other_flaggers() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("captions.txt"), CAPTIONS).unwrap();
    fs::write(folder.path().join("dialogues.tsv"), DIALOGUES).unwrap();
    let review = folder.path().join("out/review.tsv");
    let rows = || fs::read_to_string(&review).unwrap();
    let run = |flagger: Option<&dyn Flagger>| {
        let report = run_with(folder.path(), flagger).ethics;
        (report.flagged, report.open, report.kept_by_people, report.dropped_by_people, report.kept)
    };

    // Three sentences are about books; people drop one and keep another.
    assert_eq!(run(Some(&ByWord("책"))), (3, 3, 0, 0, 10));
    fs::write(&review, rows().replacen("open", "drop", 1).replacen("open", "keep", 1)).unwrap();
    assert_eq!(run(Some(&ByWord("책"))), (3, 1, 1, 1, 11));
    let decided: String =
        rows().split_inclusive('\n').filter(|row| !row.starts_with("open")).collect();

    // Neither a flagger that finds nothing nor none at all forgets them.
    for flagger in [Some(&ByWord("고래") as &dyn Flagger), None] {
        assert_eq!(run(flagger), (0, 0, 0, 1, 12));
        assert_eq!(rows(), decided);
    }
    // One that finds something else has its row beside theirs.
    assert_eq!(run(Some(&ByWord("막대를 든다"))), (2, 2, 0, 1, 10));
    assert_eq!(rows().lines().count(), 4);
    assert_eq!(run(Some(&ByWord("책"))), (3, 1, 1, 1, 11));
}

#[test]
fn concepts_of_sentences_that_pass_by() {
    let extractor = Extractor::new(recorded::analyzer(), Rule::AsPublishedFiles);
    let sentences = ["비가 온다.", "아이가 공을 찬다."].map(|text| Ok(text.to_owned()));
    let mut found = Vec::new();
    let mut sink = |concepts: Vec<String>| {
        found.push(concepts.join("#"));
        Ok(())
    };
    let done = extractor.stream(sentences, &mut sink, &()).unwrap();
    assert_eq!(
        (done, found.as_slice()),
        (2, &["비#온다".to_owned(), "아이#공#찬다".to_owned()][..])
    );
}

#[test]
fn concepts_that_cannot_be_kept() {
    let concepts = Concepts::new(recorded::analyzer(), Rule::AsPublishedFiles);
    assert!(concepts.clone().sizes(0..=3).is_err());
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let backwards = concepts.sizes(5..=3);
    assert!(backwards.is_err());
}

/// What the data set consists of, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with('.'))
        .map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_file_that_changed_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::write(folder.path().join("captions.txt"), CAPTIONS).unwrap();
    fs::write(folder.path().join("dialogues.tsv"), DIALOGUES).unwrap();
    run(folder.path());
    let built = files(&out);
    for (name, resumed) in [
        ("sentences.jsonl", &["select", "ethics", "split"][..]),
        ("selected.jsonl", &["sentences", "ethics", "split"]),
        ("kept.jsonl", &["sentences", "select", "split"]),
        ("test.txt", &["sentences", "select", "ethics"]),
    ] {
        let path = out.join(name);
        let mut bytes = fs::read(&path).unwrap();
        bytes[20] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert_eq!(run(folder.path()).resumed, resumed, "{name}");
        assert_eq!(files(&out), built, "{name}");
        fs::remove_file(&path).unwrap();
        run(folder.path());
        assert_eq!(files(&out), built, "{name}");
    }
}

#[test]
fn a_build_never_overwrites_its_input_nor_another_build() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("sentences.jsonl"), CAPTIONS).unwrap();
    let (pipeline, input) = (pipeline(), out.join("sentences.jsonl"));
    let options = BuildOptions {
        inputs: vec![Input::new(&input, Source::Caption)],
        folder: out.clone(),
        selection: Selection::default(),
        split: Split::default(),
        bad_lines: BadLines::Refuse,
    };
    let parts = BuildParts { pipeline: &pipeline, similarity: None, flagger: None };
    let error = build(&options, &parts, &()).unwrap_err().to_string();
    assert!(error.contains("a file that the build does not write"), "{error}");
    assert_eq!(fs::read_to_string(&input).unwrap(), CAPTIONS);

    let _other = ko_eval_io::files::FolderLock::take(&out).unwrap();
    let error = build(&options, &parts, &()).unwrap_err();
    assert!(matches!(error, ko_eval_core::Error::InUse { .. }), "{error}");
}
