//! Getting a package's file by its name and version, through the user's own pip or npm.

use crate::{Error, Kind, Package, Result, checksum, setup, tools};
use ko_eval_io::Progress;
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

/// How often the growing file is looked at.
const GLANCE: Duration = Duration::from_millis(200);

/// How many lines of what pip or npm says are told where they fail.
const TOLD: usize = 4;

const MEGABYTE: u64 = 1_000_000;

impl Package {
    /// Where the file lies: in `downloads`, if somebody put it there, else where [`Package::fetch`] puts it.
    pub(crate) fn path(&self, downloads: &Path) -> PathBuf {
        let by_hand = downloads.join(self.file);
        if by_hand.exists() { by_hand } else { self.fetched(downloads) }
    }

    /// What we fetch is kept apart from what somebody put there, because only ours is removed again.
    fn fetched(&self, downloads: &Path) -> PathBuf {
        downloads.join(".fetched").join(self.file)
    }

    /// Removes the file if we fetched it.
    pub(crate) fn forget(&self, downloads: &Path) -> Result<()> {
        let path = self.fetched(downloads);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(&path)(error)),
            _ => Ok(()),
        }
    }

    /// Gets the file, unless it is in `downloads` already or we are offline, and verifies its checksum.
    pub(crate) fn fetch(
        &'static self,
        downloads: &Path,
        offline: bool,
        progress: &dyn Progress,
    ) -> Result<()> {
        let path = self.path(downloads);
        if path.exists() {
            match checksum::verify(&path, self.sha256) {
                // Ours, and damaged since: it is fetched again.
                Err(Error::Checksum { .. }) if path == self.fetched(downloads) => {
                    self.forget(downloads)?;
                }
                verified => return verified,
            }
        }
        if offline {
            return Err(self.by_hand("this is an offline run".into(), downloads));
        }
        let what = format!("fetching {} {} (MB)", self.name, self.version);
        progress.begin(&what, Some(self.megabytes.into()));
        let partial = self.partial(downloads)?;
        let command = match &self.kind {
            Kind::Wheel(tags) => self.pip(&partial, |pip| {
                pip.args(["--only-binary", ":all:"]).args(*tags);
                Ok(())
            })?,
            Kind::Source => self.pip(&partial, |pip| {
                pip.args(["--no-binary", ":all:", "--use-pep517", "--no-build-isolation"])
                    .env("PYTHONPATH", self.stand_in_backend(&partial)?);
                Ok(())
            })?,
            Kind::Npm => self.npm(&partial),
        };
        let fresh = partial.join(self.file);
        let came = self.finish(command, &partial, progress).and_then(|()| match fresh.exists() {
            true => Ok(()),
            false => Err(format!("no file {} came", self.file)),
        });
        if let Err(reason) = came {
            setup::remove(&partial)?;
            return Err(self.by_hand(reason, downloads));
        }
        checksum::verify(&fresh, self.sha256)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        fs::rename(&fresh, &path).map_err(Error::io(&path))?;
        setup::remove(&partial)
    }

    /// An empty folder for what is being fetched. Where set-up was killed, the pip or npm that it had started may still be
    /// writing: it does so in a folder of its own.
    fn partial(&self, downloads: &Path) -> Result<PathBuf> {
        let prefix = format!(".partial-{}.", self.name);
        for entry in fs::read_dir(downloads).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                // What cannot be removed yet is removed by the next set-up.
                let _ = setup::remove(&entry.path());
            }
        }
        let partial = downloads.join(format!("{prefix}{}", std::process::id()));
        setup::remove(&partial)?;
        fs::create_dir_all(&partial).map_err(Error::io(&partial))?;
        Ok(partial)
    }

    /// `npm pack` copies the registry's archive and unpacks nothing.
    fn npm(&self, folder: &Path) -> Command {
        let mut npm = Command::new(tools::NPM);
        npm.arg("pack").arg(format!("{}@{}", self.name, self.version));
        npm.args(["--ignore-scripts", "--no-update-notifier", "--pack-destination"]).arg(folder);
        npm
    }

    /// pip checks the checksum before it opens the file.
    fn pip(
        &self,
        folder: &Path,
        select: impl FnOnce(&mut Command) -> Result<()>,
    ) -> Result<Command> {
        let requirement = folder.join("requirement.txt");
        let line = format!("{}=={} --hash=sha256:{}\n", self.name, self.version, self.sha256);
        fs::write(&requirement, line).map_err(Error::io(&requirement))?;
        let temporary = folder.join("temporary");
        fs::create_dir(&temporary).map_err(Error::io(&temporary))?;

        // Without any pip the first Python is asked all the same, and the failure tells the way by hand.
        let python = tools::pip().map_or("python3", |(python, _)| python);
        let mut pip = Command::new(python);
        pip.args(["-m", "pip", "download", "--no-deps", "--require-hashes", "--no-input"])
            .args(["--no-cache-dir", "--disable-pip-version-check"])
            .arg("--dest")
            .arg(folder)
            .arg("--requirement")
            .arg(&requirement);
        // Where pip lets the file grow, so that somebody can look how far it is.
        for variable in ["TMPDIR", "TEMP", "TMP"] {
            pip.env(variable, &temporary);
        }
        select(&mut pip)?;
        Ok(pip)
    }

    /// pip asks a source archive's build backend for the package's name and version, which would run the
    /// package's own `setup.py`. A backend of ours, found before setuptools, answers instead.
    fn stand_in_backend(&self, folder: &Path) -> Result<PathBuf> {
        let backend = folder.join("backend");
        let module = backend.join("setuptools");
        let info = format!("{}-{}.dist-info", self.name.replace('-', "_"), self.version);
        let code = format!(
            r#"import os
def get_requires_for_build_wheel(config_settings=None):
    return []
def prepare_metadata_for_build_wheel(folder, config_settings=None):
    os.makedirs(os.path.join(folder, "{info}"))
    with open(os.path.join(folder, "{info}", "METADATA"), "w") as metadata:
        metadata.write("Metadata-Version: 2.1\nName: {}\nVersion: {}\n")
    return "{info}"
# What pip asks for a package without a pyproject.toml.
class __legacy__:
    get_requires_for_build_wheel = staticmethod(get_requires_for_build_wheel)
    prepare_metadata_for_build_wheel = staticmethod(prepare_metadata_for_build_wheel)
"#,
            self.name, self.version
        );
        fs::create_dir_all(&module)
            .and_then(|()| fs::write(module.join("__init__.py"), ""))
            .and_then(|()| fs::write(module.join("build_meta.py"), code))
            .map_err(Error::io(&module))?;
        Ok(backend)
    }

    /// Runs pip or npm, looks at the file while it grows, and gives the reason if there is none in the end.
    fn finish(
        &self,
        mut command: Command,
        folder: &Path,
        progress: &dyn Progress,
    ) -> std::result::Result<(), String> {
        let program = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = thread::scope(|scope| {
            let (ended, end) = mpsc::channel::<()>();
            let watcher = scope.spawn(move || {
                let mut told = 0;
                while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(GLANCE) {
                    let grown = size_of(self.file, folder) / MEGABYTE;
                    let now = grown.clamp(told, self.megabytes.into());
                    progress.advance(now - told);
                    told = now;
                }
                told
            });
            let output = command.output();
            drop(ended);
            // A listener that panics is no reason to lose the file.
            let told = watcher.join().unwrap_or_default();
            if output.as_ref().is_ok_and(|output| output.status.success()) {
                progress.advance(u64::from(self.megabytes).saturating_sub(told));
            }
            output
        });
        said(&program, output)
    }

    fn by_hand(&'static self, reason: String, downloads: &Path) -> Error {
        Error::Fetch { package: self, reason, folder: downloads.to_owned() }
    }
}

/// Nothing if the program succeeded, else the end of what it said.
fn said(program: &str, output: io::Result<Output>) -> std::result::Result<(), String> {
    let output = match output {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(format!("`{program}` is not found"));
        }
        Err(error) => return Err(format!("`{program}` does not start: {error}")),
    };
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    // npm tells first what was wrong, pip last, after a page of retries.
    let from = if program == tools::NPM { 0 } else { lines.len().saturating_sub(TOLD) };
    let told: Vec<_> = lines.into_iter().skip(from).take(TOLD).collect();
    Err(format!("{program}: {}\n  {}", output.status, told.join("\n  ")))
}

/// The largest file of this name under a folder, while somebody may be moving it.
fn size_of(name: &str, folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => size_of(name, &entry.path()),
        Ok(about) if entry.file_name() == name => about.len(),
        _ => 0,
    });
    sizes.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    static SMALL: Package = Package {
        name: "small",
        version: "1.0",
        file: "small-1.0-py3-none-any.whl",
        // Of the text "abc", from FIPS 180-4.
        sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        megabytes: 1,
        kind: Kind::Wheel(&[]),
    };

    #[test]
    fn a_file_put_there_by_hand_is_used_if_it_is_the_right_one() {
        let downloads = tempfile::tempdir().unwrap();
        let path = downloads.path().join(SMALL.file);
        fs::write(&path, "abc").unwrap();
        SMALL.fetch(downloads.path(), false, &()).unwrap();
        assert_eq!(SMALL.path(downloads.path()), path);
        SMALL.forget(downloads.path()).unwrap();
        assert!(path.exists(), "what somebody put there stays");

        fs::write(&path, "abd").unwrap();
        let error = SMALL.fetch(downloads.path(), false, &()).unwrap_err();
        assert!(matches!(&error, Error::Checksum { path: bad, .. } if *bad == path), "{error}");
    }

    #[test]
    fn what_an_interrupted_run_has_fetched_is_used_and_then_removed() {
        let downloads = tempfile::tempdir().unwrap();
        let path = SMALL.path(downloads.path());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "abc").unwrap();
        SMALL.fetch(downloads.path(), false, &()).unwrap();
        SMALL.forget(downloads.path()).unwrap();
        assert!(!path.exists());
        SMALL.forget(downloads.path()).unwrap();
    }

    #[test]
    fn the_manual_way_names_file_checksum_and_place() {
        let text = SMALL.by_hand("no network".into(), Path::new("the/downloads")).to_string();
        for part in ["small 1.0", "no network", SMALL.file, SMALL.sha256, "the/downloads"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn the_growing_file_is_found_wherever_it_grows() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("temporary/pip-unpack-x");
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("other"), "much more than that").unwrap();
        assert_eq!(size_of("file", folder.path()), 0);
        fs::write(deep.join("file"), "1234").unwrap();
        assert_eq!(size_of("file", folder.path()), 4);
    }

    #[cfg(unix)]
    #[test]
    fn the_end_of_what_a_program_says_is_the_reason() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo one >&2; echo; echo two >&2; exit 3"]);
        let reason = said("sh", shell.output()).unwrap_err();
        assert!(reason.contains("exit status: 3") && reason.ends_with("one\n  two"), "{reason}");
        let reason = said("nosuch", Command::new("no-such-program").output()).unwrap_err();
        assert_eq!(reason, "`nosuch` is not found");
    }
}
