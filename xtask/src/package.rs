//! Getting one file of a package registry, by the package's name and version, through pip or npm.

use crate::doctor;
use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A file of a package registry.
#[derive(Debug)]
pub(crate) struct Package {
    /// The package's name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The file's name.
    pub file: &'static str,
    /// The file's checksum.
    pub sha256: &'static str,
    /// The file's size, for whoever waits.
    pub megabytes: u32,
    /// What the file is.
    pub kind: Kind,
}

/// What a package's file is.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A wheel, and what makes every pip pick this one of the version's wheels.
    Wheel(&'static [&'static str]),
    /// A source archive.
    Source,
    /// A package of npm's registry, which is an archive too.
    Npm,
}

impl Package {
    /// The file in `downloads`: the one that lies there already, or a fresh one. Its checksum is verified.
    pub(crate) fn fetch(&self, downloads: &Path) -> Result<PathBuf> {
        let path = downloads.join(self.file);
        if path.exists() {
            self.verify(&path).context("remove it, and set-up fetches it again")?;
            return Ok(path);
        }
        eprintln!("fetching {} {} ({} MB)", self.name, self.version, self.megabytes);
        let partial = downloads.join(format!(".partial-{}", self.name));
        self.download(&partial).with_context(|| self.by_hand(downloads))?;
        let fresh = partial.join(self.file);
        self.verify(&fresh)?;
        fs::rename(&fresh, &path).with_context(|| path.display().to_string())?;
        fs::remove_dir_all(&partial).with_context(|| partial.display().to_string())?;
        Ok(path)
    }

    /// Has pip or npm put the file into a fresh folder.
    fn download(&self, folder: &Path) -> Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        match self.kind {
            Kind::Wheel(tags) => self.pip(folder, |pip| {
                pip.args(["--only-binary", ":all:"]).args(tags);
                Ok(())
            }),
            Kind::Source => self.pip(folder, |pip| {
                pip.args(["--no-binary", ":all:", "--use-pep517", "--no-build-isolation"])
                    .env("PYTHONPATH", self.stand_in_backend(folder)?);
                Ok(())
            }),
            Kind::Npm => self.npm(folder),
        }
    }

    /// `npm pack` copies the registry's archive and unpacks nothing.
    fn npm(&self, folder: &Path) -> Result<()> {
        let mut npm = Command::new(NPM);
        npm.arg("pack").arg(format!("{}@{}", self.name, self.version));
        npm.args(["--ignore-scripts", "--no-update-notifier", "--pack-destination"]).arg(folder);
        finish("npm", npm)
    }

    /// pip checks the checksum before it opens the file.
    fn pip(&self, folder: &Path, select: impl FnOnce(&mut Command) -> Result<()>) -> Result<()> {
        let Some((python, _)) = doctor::pip() else {
            bail!("Python with pip is not found (tried `python3 -m pip` and `python -m pip`)");
        };
        let requirement = folder.join("requirement.txt");
        fs::write(
            &requirement,
            format!("{}=={} --hash=sha256:{}\n", self.name, self.version, self.sha256),
        )
        .with_context(|| requirement.display().to_string())?;

        let mut pip = Command::new(python);
        pip.args(["-m", "pip", "download", "--no-deps", "--require-hashes", "--no-input"])
            .args(["--no-cache-dir", "--disable-pip-version-check"])
            .arg("--dest")
            .arg(folder)
            .arg("--requirement")
            .arg(&requirement);
        select(&mut pip)?;
        finish("pip", pip)
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
            .with_context(|| module.display().to_string())?;
        Ok(backend)
    }

    fn verify(&self, path: &Path) -> Result<()> {
        let found = sha256(path)?;
        if found != self.sha256 {
            bail!(
                "{} is not {} {}: its SHA-256 is {found}, not {}",
                path.display(),
                self.name,
                self.version,
                self.sha256
            );
        }
        Ok(())
    }

    fn by_hand(&self, downloads: &Path) -> String {
        format!(
            "{} {} could not be fetched. By hand: get the file\n  {}\n  SHA-256 {}\nof that package from your \
             {} registry, put it into\n  {}\nand run this again",
            self.name,
            self.version,
            self.file,
            self.sha256,
            if let Kind::Npm = self.kind { "npm" } else { "Python package" },
            downloads.display()
        )
    }
}

/// npm is a script, which Windows starts by its whole name only.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Runs a package manager. What it says while it works goes where our own words go: standard output is for results.
fn finish(name: &str, mut command: Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).stdout(io::stderr()).stderr(Stdio::piped()).output();
    let output = output.with_context(|| format!("starting `{program}`"))?;
    if !output.status.success() {
        bail!("{name} failed:\n{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// The checksum of a file, in hexadecimal digits.
pub(crate) fn sha256(path: &Path) -> Result<String> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer).with_context(|| path.display().to_string())? {
            0 => return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            read => hash.update(&buffer[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Package = Package {
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
        assert_eq!(SMALL.fetch(downloads.path()).unwrap(), path);

        fs::write(&path, "abd").unwrap();
        let error = format!("{:#}", SMALL.fetch(downloads.path()).unwrap_err());
        assert!(error.contains("is not small 1.0: its SHA-256 is a52d159f"), "{error}");
    }

    #[test]
    fn the_manual_way_names_file_checksum_and_place() {
        let text = SMALL.by_hand(Path::new("downloads"));
        for part in [SMALL.file, SMALL.sha256, "downloads"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
