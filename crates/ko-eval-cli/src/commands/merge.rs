//! `ko-eval merge`

use super::score::{
    NamedShard,
    rows::{Row, report},
};
use crate::output::OutputArgs;
use anyhow::{Context, Result, bail};
use ko_eval::Shard;
use std::{collections::BTreeMap, fs, path::PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Statistics written by `ko-eval score --statistics`
    #[arg(required = true, value_name = "FILE")]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut groups: BTreeMap<(String, Option<String>), Vec<Shard>> = BTreeMap::new();
    for path in &args.shards {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let shards: Vec<NamedShard> =
            serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        for NamedShard { metric, shard } in shards {
            groups.entry((metric, shard.unit.clone())).or_default().push(shard);
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    for ((metric, unit), shards) in &groups {
        let name = format!("{metric} on {}", unit.as_deref().unwrap_or("no unit"));
        if shards.len() != args.shards.len() {
            bail!(
                "{name} is in {} of {} files; every shard must hold the same metrics",
                shards.len(),
                args.shards.len()
            );
        }
        // From the signature alone: a file that somebody sent opens nothing and starts nothing.
        let corpus = ko_eval::LIBRARY.merge(metric, shards).context(name)?;
        let Some(first) = shards.first() else { continue };
        let scorer = ko_eval::LIBRARY.recorded(metric, first)?;
        rows.push(Row::new(metric, unit.as_deref(), &*scorer, corpus));
    }
    args.output.write(&report(&rows)?)
}
