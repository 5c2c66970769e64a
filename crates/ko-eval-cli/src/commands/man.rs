//! `ko-eval man`: the manual, a page per command.

use crate::{cli, output};
use anyhow::{Result, ensure};
use ko_eval::files;
use std::path::Path;

/// Prints the first page, or writes all of them.
pub(crate) fn run(folder: Option<&Path>) -> Result<()> {
    let mut command = cli::command();
    command.build();
    let Some(folder) = folder else {
        return output::print(&page(command)?);
    };
    ensure!(folder.is_dir(), "{} is no folder; make it first", folder.display());
    let mut pages = 0;
    write_all(command, folder, &mut pages)?;
    eprintln!("ko-eval: {pages} pages in {0}; `man -M` wants them in {0}/man1", folder.display());
    Ok(())
}

/// A command's page and those of its subcommands, named as `man` looks for them: `ko-eval-train-sts.1`.
fn write_all(command: clap::Command, folder: &Path, pages: &mut usize) -> Result<()> {
    let subcommands: Vec<_> =
        command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned().collect();
    for sub in subcommands {
        write_all(sub, folder, pages)?;
    }
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    files::write_atomically(&folder.join(format!("{name}.1")), &page(command)?)?;
    *pages += 1;
    Ok(())
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(page)
}
