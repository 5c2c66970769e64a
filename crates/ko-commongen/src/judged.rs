//! The published systems' sentences with references and human scores, ready for a meta-evaluation.
//!
//! The folder is laid out as published:
//!
//! | path | what |
//! |---|---|
//! | `dataset/test.jsonl` | concept sets with their references |
//! | `systems/NAME.txt` | what a system wrote, a sentence per line |
//! | `human/NAME/…` | its ratings, if it was rated; the name in lower case, with `-` for `_` |
//!
//! ```no_run
//! use ko_commongen::judged;
//! use ko_meta_eval::{Experiment, MetricRow, Unit};
//!
//! let judged = judged::read("Korean-CommonGen".as_ref())?;
//! assert_eq!(judged.criteria()[0], "grammar");
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

use crate::{
    BadLines, Pairs,
    human::Criterion,
    study::{SystemFiles, TestSet, ratings, systems},
};
use ko_eval_core::{Error, OwnedSegment, Result};
use ko_meta_eval::Judged;
use std::path::Path;

/// Reads the rated systems of a folder, in the order of their names; outputs of several seeds have
/// no ratings.
///
/// # Errors
/// No rated system, or a file that is missing, broken, or not as long as the test set.
pub fn read(folder: &Path) -> ko_meta_eval::Result<Judged> {
    let test = folder.join("dataset/test.jsonl");
    let mut judged = Judged::new(Criterion::ALL.iter().map(ToString::to_string))?;
    for SystemFiles { name, runs } in systems(&folder.join("systems"))? {
        let [system] = runs.as_slice() else { continue };
        let Some(human) = ratings(folder, &name, TestSet::Original)? else { continue };
        let pairs = Pairs::read(&test, system, BadLines::Refuse)?;
        let segments = pairs.items().iter().zip(pairs.hypotheses()).map(|(item, hypothesis)| {
            OwnedSegment::new(hypothesis.clone(), item.references().to_vec())
        });
        let segments = segments.collect::<Result<Vec<_>>>()?;
        let scores = Criterion::ALL.iter().map(|criterion| {
            human.ratings(*criterion).map(|ratings| ratings.by_sentence()).unwrap_or_default()
        });
        judged.push(name, segments, scores.collect())?;
    }
    if judged.systems().is_empty() {
        let what = format!("the ratings of a system in {}", folder.join("human").display());
        let how_to_get_it = "put them there as NAME/…_CRITERION_korean_commongen.txt".into();
        return Err(Error::Missing { what, how_to_get_it }.into());
    }
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "dataset/test.jsonl",
            "{\"concept-set\": \"비#오\", \"scene\": [\"비가 온다.\", \"비가 오네.\"]}\n\
             {\"concept-set\": \"눈#오\", \"scene\": [\"눈이 온다.\"]}\n",
        );
        write("systems/My_System.txt", "비 온다.\n눈이 온다.\n");
        write("systems/Another.txt", "비가 온다.\n눈 온다.\n");
        for criterion in Criterion::ALL {
            let file = format!("human/my-system/x_{criterion}_korean_commongen.txt");
            write(&file, "2\n2\n1\n0\n0\n0\n");
        }
        folder
    }

    #[test]
    fn sentences_meet_their_ratings() {
        let folder = folder();
        let judged = read(folder.path()).unwrap();
        let [system] = judged.systems() else { panic!("the other one was not rated: {judged:?}") };
        assert_eq!(system.name, "My_System");
        assert_eq!(system.segments[0].as_segment().references(), ["비가 온다.", "비가 오네."]);
        assert_eq!(system.human, vec![vec![Some(5.0 / 3.0), Some(0.0)]; 4]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let folder = folder();
        fs::remove_dir_all(folder.path().join("human/my-system")).unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("human"), "{error}");
        fs::remove_dir_all(folder.path().join("systems")).unwrap();
        fs::create_dir(folder.path().join("systems")).unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("NAME.txt"), "{error}");
    }
}
