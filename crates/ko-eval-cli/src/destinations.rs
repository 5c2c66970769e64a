//! Whether what a command writes would harm what it reads, asked once for every command before it starts.

use anyhow::{Result, bail};
use clap::{Arg, ArgMatches, Command};
use ko_eval::{
    files::{check_output, is_same},
    model_folder,
};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Arguments that say where something is written. Every other one may name what is read.
const WRITTEN: [&str; 5] = ["output", "statistics", "html", "log", "checkpoint"];

/// Looks at the arguments of the command that was chosen: no destination may be an input, lie in a folder that is not
/// there, or be unfit for what is written to it.
pub(crate) fn check(mut command: &Command, mut matches: &ArgMatches) -> Result<()> {
    while let Some((name, inner)) = matches.subcommand() {
        let Some(chosen) = command.find_subcommand(name) else { return Ok(()) };
        (command, matches) = (chosen, inner);
    }
    let is_written = |arg: &&Arg| WRITTEN.contains(&arg.get_id().as_str());
    let values = |arg: &Arg| -> Vec<&OsStr> {
        let given = matches.try_get_raw(arg.get_id().as_str()).ok().flatten();
        given.into_iter().flatten().collect()
    };
    let read = command.get_arguments().filter(|arg| !is_written(arg)).flat_map(values);
    let read: Vec<PathBuf> = read.flat_map(named).map(model_folder).collect();
    for arg in command.get_arguments().filter(is_written) {
        for path in values(arg).into_iter().map(Path::new) {
            match is_folder(arg) {
                true => check_folder(path, &read)?,
                false => check_output(path, read.iter().map(PathBuf::as_path))?,
            }
        }
    }
    Ok(())
}

/// The files and folders that an argument may name: the whole of it, or parts of `NAME=FILE`, `subword:FILE,case=lower` and
/// `ranking:FILE+FILE`.
fn named(value: &OsStr) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::from(value)];
    if let Some(text) = value.to_str() {
        paths.extend(text.split([':', ',', '=', '@', '+']).skip(1).map(PathBuf::from));
        paths.extend(text.split_once('=').map(|(_, file)| PathBuf::from(file)));
    }
    paths
}

fn is_folder(arg: &Arg) -> bool {
    arg.get_value_names().is_some_and(|names| names.iter().any(|name| *name == "FOLDER"))
}

/// The folder itself may be made, but none above it.
fn check_folder(path: &Path, read: &[PathBuf]) -> Result<()> {
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    if let Some(above) = above.filter(|above| !above.is_dir()) {
        bail!("{}: cannot write: there is no folder {}", path.display(), above.display());
    }
    if path.exists() && !path.is_dir() {
        bail!("{}: cannot write: it is no folder", path.display());
    }
    match read.iter().find(|input| is_same(path, input)) {
        Some(input) => {
            bail!("{}: cannot write: it is also an input ({})", path.display(), input.display())
        }
        None => Ok(()),
    }
}
