//! Files of WMT, damaged: annotations (MQM), exports of Appraise, and the score files, documents and texts of a test set. An error, or scores that are
//! numbers at segments that are there.
#![no_main]

use ko_eval_fuzz::{Folder, damaged};
use ko_meta_eval::wmt::{Scope, Selection, TestSet, appraise, mqm};
use libfuzzer_sys::fuzz_target;
use std::{collections::BTreeSet, fs, sync::LazyLock};

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    [
        "system\tdoc\tdoc_id\tseg_id\trater\tcategory\tseverity\n갑\t하나\t1\t1\t가\tAccuracy/Omission\tMajor\n을\t하나\t2\t2\t나\tFluency/Punctuation\tMinor\n",
        "가,wmt25.갑,1,TGT,eng,kor,80,하나#갑,False,\"[{\"\"start_i\"\":0}]\",1,2\n가,wmt25.갑,2,TGT,eng,kor,40.5,하나#갑,False,[],1,2\n",
        "갑\t-1\n갑\tNone\n을\t-5.5\n을\t0\n",
        "갑\t{\"errors\": [{\"start\": 0, \"end\": 1, \"severity\": \"major\", \"category\": \"Accuracy/Omission\"}]}\t가\n갑\tNone\n",
        "news 하나\nnews 하나\n",
        "{\"hypothesis\": \"비가 온다\"}\n{\"hypothesis\": null}\n",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
});

static FOLDER: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::new();
    for name in [
        "sources",
        "references",
        "documents",
        "system-outputs/en-ko",
        "human-scores",
        "metric-scores/en-ko",
    ] {
        fs::create_dir_all(folder.path().join(name)).expect("a folder");
    }
    let text = "비가 온다\n눈이 온다\n".as_bytes();
    for name in ["sources/en-ko.txt", "references/en-ko.refA.txt", "system-outputs/en-ko/을.txt"] {
        folder.write(name, text);
    }
    folder
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    let file = FOLDER.write("any", &bytes);
    if let Ok(ratings) = mqm::read_annotations(&file, &mqm::Weights::default()) {
        assert!(ratings.iter().all(|rating| rating.score <= 0.0 && rating.segment > 0));
        assert!(mqm::means(&ratings).values().all(|mean| mean.is_finite()));
    }
    let documents = [("하나".to_owned(), 0..2)].into();
    if let Ok(appraised) = appraise::read(&file, &documents) {
        assert!(appraised.judgements.iter().all(|judgement| judgement.segment < 2));
        assert!(
            appraised.judgements.iter().flat_map(|j| &j.scores).flatten().all(|s| s.is_finite())
        );
    }
    let _ = appraise::read_documents(&file);
    // The same bytes in the place of every file of a test set.
    for name in [
        "documents/en-ko.docs",
        "system-outputs/en-ko/갑.jsonl",
        "human-scores/en-ko.mqm.seg.score",
        "human-scores/en-ko.other.seg.rating",
        "metric-scores/en-ko/metric-refA.seg.score",
    ] {
        let gold = FOLDER
            .write("human-scores/en-ko.mqm.seg.score", "갑 1\n갑 2\n을 None\n을 3\n".as_bytes());
        let output = FOLDER.write(
            "system-outputs/en-ko/갑.jsonl",
            "{\"hypothesis\": \"비\"}\n{\"hypothesis\": \"눈\"}\n".as_bytes(),
        );
        let damaged = FOLDER.write(name, &bytes);
        if let Ok(set) = TestSet::read(FOLDER.path(), "en-ko") {
            let references = BTreeSet::from(["refA".to_owned()]);
            let chosen = Selection { gold: "mqm".into(), references, ..Selection::default() };
            if let Ok(table) = set.table(Scope::Segment, &chosen) {
                assert_eq!((table.systems(), table.items()), (2, 2));
            }
        }
        for file in [gold, output, damaged] {
            let _ = fs::remove_file(file);
        }
    }
});
