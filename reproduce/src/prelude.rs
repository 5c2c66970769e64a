//! What nearly every check uses.

pub(crate) use crate::{
    context::{Context, auc, files, json_lines, read, stem},
    report::{Finding, Report},
    tables::Table,
};
pub(crate) use anyhow::{Context as _, Result, bail, ensure};
pub(crate) use ko_eval::{
    Flag, OwnedSegment, Periodic, Scorer, Segment, Tokenizer,
    commongen::{BadLines, Columns, Evaluator, Protocol, read_items},
    home,
    meta::{Correlation, report::Language},
    neural::read::{Tone, ToneGroup, para_kqc_tsv, style_kqc_pairs_tsv, style_kqc_tsv},
    probe::{Control, Dataset, Options, ProbeReport, Subject, Treebank, WordLimits},
    register::RegisterAnalyzer,
    tokenize::{MorphemeAnalyzer, analyzer_by_name},
};
pub(crate) use serde::Deserialize;
pub(crate) use serde_json::Value;
pub(crate) use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
