//! Tables of human scores, damaged: an error, or scores that are numbers; and the clean-up of ratings gives numbers for numbers.
#![no_main]

use ko_eval_fuzz::{Folder, damaged};
use ko_meta_eval::{
    Plan,
    judgement::{Cleanup, Rating},
    plan::PlannedSystem,
};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let table = "\u{feff}system\tsegment\t문법\t유창성\n갑\t1\t2\t1.5\r\n갑\t2\t1\t0\n갑\t2\t2\t-1\n을\t1\t3\t3\n";
    let judges = "system\tsegment\tjudge\t문법\n갑\t1\t민수\t2\n갑\t2\t민수\t\n갑\t2\t영희\t1\n갑\t1\t영희\t3\n";
    vec![table.into(), judges.into()]
});
static FOLDER: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::new();
    folder.write("ref.txt", "비가 온다\n눈이 온다\n".as_bytes());
    folder.write("a.txt", "비 온다\n눈 온다\n".as_bytes());
    folder
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    let human = FOLDER.write("human.tsv", &bytes);
    let output = FOLDER.path().join("a.txt");
    let references = vec![FOLDER.path().join("ref.txt")];
    let systems = vec![PlannedSystem { name: "갑".into(), output }];
    let plan = Plan { human, references, systems, ..Plan::default() };
    for plan in [plan.clone(), Plan { cleanup: Some(Cleanup::new().drop_first(1)), ..plan }] {
        let Ok(judged) = plan.judged() else { continue };
        assert!(
            judged.systems()[0].human.iter().flatten().flatten().all(|score| score.is_finite())
        );
    }
    let text = String::from_utf8_lossy(&bytes);
    let ratings: Vec<Rating> = text
        .lines()
        .filter_map(|line| {
            let (judge, rest) = line.split_once('\t')?;
            let (item, score) = rest.split_once('\t')?;
            Some(Rating::new(judge, item, score.split('\t').next()?.parse().ok()?))
        })
        .collect();
    if let Ok(cleaned) = Cleanup::new().run(&ratings) {
        assert_eq!(cleaned.kept.len() + cleaned.dropped.len(), ratings.len());
        assert!(cleaned.kept.iter().all(|rating| rating.score.is_finite()));
        assert!(cleaned.means().values().all(|mean| mean.is_finite()));
    }
});
