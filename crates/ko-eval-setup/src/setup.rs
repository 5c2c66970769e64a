//! Installing a part: fetch, verify, unpack beside its place, move it there.

use crate::{
    Error, Licence, Recipe, Result, State, by_name, lock, part::STAMP, work::Convert, work::Work,
};
use ko_eval_io::{Progress, home};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Fills a folder with what is too large for a crate.
///
/// Interrupted at any point, the next run goes on: a file that was fetched stays, and a folder is in its place only
/// when it is whole. Two at once wait for each other.
///
/// ```no_run
/// use ko_eval_setup::{Lines, Setup};
///
/// // A program with `ko-tokenize` hands over `ko_tokenize::morpheme::dictionary::build` here.
/// let convert = |_: &_, _: &_, _: &str| Err("this program converts no dictionaries".into());
/// let lines = Lines::new(|line| eprintln!("{line}"));
/// let albert = Setup::new(&convert).progress(&lines).install("albert")?;
/// println!("{}", albert.folder().display());
/// # Ok::<(), ko_eval_setup::Error>(())
/// ```
#[derive(Clone)]
pub struct Setup<'s> {
    home: PathBuf,
    convert: &'s Convert<'s>,
    progress: &'s dyn Progress,
    accepted: Vec<Licence>,
    offline: bool,
}

impl std::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("Setup");
        debug.field("home", &self.home).field("accepted", &self.accepted);
        debug.field("offline", &self.offline).finish_non_exhaustive()
    }
}

/// What an installation came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was there already, in this folder.
    Found(PathBuf),
    /// It was made, in this folder.
    Made(PathBuf),
}

impl Outcome {
    /// The part's folder.
    pub fn folder(&self) -> &Path {
        match self {
            Self::Found(folder) | Self::Made(folder) => folder,
        }
    }
}

impl<'s> Setup<'s> {
    /// Into [`home`], telling nobody. `convert` is asked to convert dictionaries.
    pub fn new(convert: &'s Convert<'s>) -> Self {
        Self { home: home(), convert, progress: &(), accepted: Vec::new(), offline: false }
    }

    /// Into another folder.
    pub fn home(self, home: impl Into<PathBuf>) -> Self {
        Self { home: home.into(), ..self }
    }

    /// Somebody hears what is being done, and how far it is.
    pub fn progress(self, progress: &'s dyn Progress) -> Self {
        Self { progress, ..self }
    }

    /// The user accepts a licence.
    pub fn accept(mut self, licence: Licence) -> Self {
        self.accepted.push(licence);
        self
    }

    /// Starts neither pip nor npm: only files that you put into `downloads` are installed.
    pub fn offline(self, offline: bool) -> Self {
        Self { offline, ..self }
    }

    /// Installs a part unless it is there.
    ///
    /// # Errors
    /// An unknown name, a machine or licence that does not fit, a missing program, a package that cannot be fetched (the
    /// error tells the way by hand), a file that is not the right one, or a disk that does not take it.
    pub fn install(&self, name: &str) -> Result<Outcome> {
        self.run(by_name(name)?)
    }

    fn run(&self, recipe: &Recipe) -> Result<Outcome> {
        let folder = recipe.part.path(&self.home);
        if self.has(recipe) {
            return Ok(Outcome::Found(folder));
        }
        recipe.runs_here()?;
        self.consent(recipe)?;
        (recipe.check)()?;
        fs::create_dir_all(&self.home).map_err(Error::io(&self.home))?;
        let lock = self.home.join(format!(".lock-{}", recipe.lock()));
        let _lock = lock::take(&lock, recipe.part.name, self.progress)?;
        if self.has(recipe) {
            return Ok(Outcome::Found(folder));
        }
        self.make(recipe, &folder)?;
        Ok(Outcome::Made(folder))
    }

    /// Refuses what is under a licence that the user has not accepted.
    fn consent(&self, recipe: &Recipe) -> Result<()> {
        match recipe.licence {
            Some(licence) if !self.accepted.contains(&licence) => {
                Err(Error::Licence { part: recipe.part.name, licence })
            }
            _ => Ok(()),
        }
    }

    /// What a user put there is left alone; what set-up made from other packages is made again.
    fn has(&self, recipe: &Recipe) -> bool {
        match recipe.part.state(&self.home) {
            State::Complete(stamp) => stamp.is_none_or(|stamp| stamp == recipe.stamp()),
            State::Incomplete(_) | State::Absent => false,
        }
    }

    fn make(&self, recipe: &Recipe, target: &Path) -> Result<()> {
        let downloads = self.home.join("downloads");
        fs::create_dir_all(&downloads).map_err(Error::io(&downloads))?;
        for package in recipe.packages {
            package.fetch(&downloads, self.offline, self.progress)?;
        }
        let partial = self.home.join(format!(".partial-{}", recipe.part.folder));
        remove(&partial)?;
        (recipe.make)(&Work {
            downloads: &downloads,
            folder: &partial,
            limits: recipe.limits,
            progress: self.progress,
            convert: self.convert,
        })?;
        let stamp = partial.join(STAMP);
        fs::write(&stamp, recipe.stamp()).map_err(Error::io(&stamp))?;
        let missing = recipe.part.files.iter().filter(|file| !partial.join(file).exists());
        let missing: Vec<_> = missing.copied().collect();
        if !missing.is_empty() {
            return Err(Error::Incomplete { folder: partial, missing: missing.join(", ") });
        }
        replace(&partial, target)?;
        recipe.packages.iter().try_for_each(|package| package.forget(&downloads))
    }
}

/// Moves a finished folder into its place. What was there goes away only when the place is taken again.
fn replace(finished: &Path, place: &Path) -> Result<()> {
    let old = beside(finished, "old");
    remove(&old)?;
    if place.exists() {
        fs::rename(place, &old).map_err(Error::io(place))?;
    }
    fs::rename(finished, place).map_err(Error::io(place))?;
    remove(&old)
}

/// A folder's neighbour: the same name and something more.
pub(crate) fn beside(folder: &Path, more: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(format!(".{more}"));
    name.into()
}

/// Removes a folder if it is there.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(folder)(error)),
        _ => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod killed;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Limits, Package, Part, checksum};
    use std::io::Write;

    /// A recipe over a wheel that is made here, and put where somebody without network puts it.
    fn recipe(home: &Path, text: &str, revision: u32, files: &'static [&'static str]) -> Recipe {
        let downloads = home.join("downloads");
        fs::create_dir_all(&downloads).unwrap();
        let path = downloads.join("small.whl");
        let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        zip.start_file("small/말.txt", zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
        zip.finish().unwrap();
        let package = Package {
            name: "small",
            version: "1.0",
            file: "small.whl",
            sha256: checksum::sha256(&path).unwrap().leak(),
            megabytes: 1,
            kind: Kind::Wheel(&[]),
        };
        Recipe {
            part: Part { name: "small", summary: "", folder: "small-1.0", files },
            packages: Box::leak(Box::new([package])),
            only_on: None,
            licence: None,
            limits: Limits { files: 1, file_megabytes: 1, megabytes: 1 },
            check: || Ok(()),
            revision,
            make: |work| {
                let wheel = Package {
                    name: "small",
                    version: "1.0",
                    file: "small.whl",
                    sha256: "",
                    megabytes: 1,
                    kind: Kind::Wheel(&[]),
                };
                work.unpack(&wheel, |name| name.strip_prefix("small/").map(str::to_owned))
            },
        }
    }

    fn install(home: &Path, recipe: &Recipe) -> Result<Outcome> {
        let convert = |_: &Path, _: &Path, _: &str| Err("nothing to convert".into());
        Setup::new(&convert).home(home).run(recipe)
    }

    #[test]
    fn a_part_is_made_once_and_made_again_when_its_recipe_changes() {
        let home = tempfile::tempdir().unwrap();
        let place = home.path().join("small-1.0");
        let read = || fs::read_to_string(place.join("말.txt")).unwrap();
        let first = recipe(home.path(), "안녕", 1, &["말.txt"]);
        assert_eq!(install(home.path(), &first).unwrap(), Outcome::Made(place.clone()));
        assert_eq!(install(home.path(), &first).unwrap(), Outcome::Found(place.clone()));
        assert_eq!(read(), "안녕");

        let second = recipe(home.path(), "안녕하세요", 2, &["말.txt"]);
        assert_eq!(install(home.path(), &second).unwrap(), Outcome::Made(place.clone()));
        assert_eq!(read(), "안녕하세요");

        // Without the stamp it is the user's own, and left alone.
        fs::remove_file(place.join(STAMP)).unwrap();
        assert_eq!(install(home.path(), &first).unwrap(), Outcome::Found(place.clone()));
        assert_eq!(read(), "안녕하세요");
        let left: Vec<_> = fs::read_dir(home.path()).unwrap().flatten().collect();
        assert_eq!(left.len(), 3, "the part, the downloads and the lock: {left:?}");
    }

    #[test]
    fn what_is_not_whole_does_not_appear() {
        let home = tempfile::tempdir().unwrap();
        let lacking = recipe(home.path(), "안녕", 1, &["말.txt", "없는 파일"]);
        let error = install(home.path(), &lacking).unwrap_err().to_string();
        assert!(error.contains("lacks 없는 파일"), "{error}");
        assert_eq!(lacking.part.state(home.path()), State::Absent);
    }

    #[test]
    fn a_tampered_download_is_not_opened() {
        let home = tempfile::tempdir().unwrap();
        let good = recipe(home.path(), "안녕", 1, &["말.txt"]);
        recipe(home.path(), "다른 말", 1, &["말.txt"]);
        let error = install(home.path(), &good).unwrap_err();
        assert!(matches!(error, Error::Checksum { .. }), "{error}");
        assert_eq!(good.part.state(home.path()), State::Absent);
    }

    #[test]
    fn offline_installs_only_what_was_put_there() {
        let home = tempfile::tempdir().unwrap();
        let convert = |_: &Path, _: &Path, _: &str| Err("nothing to convert".into());
        let setup = Setup::new(&convert).home(home.path()).offline(true);
        let small = recipe(home.path(), "안녕", 1, &["말.txt"]);
        fs::rename(home.path().join("downloads"), home.path().join("elsewhere")).unwrap();
        let error = setup.run(&small).unwrap_err();
        assert!(matches!(error, Error::Fetch { .. }), "{error}");
        fs::remove_dir(home.path().join("downloads")).unwrap();
        fs::rename(home.path().join("elsewhere"), home.path().join("downloads")).unwrap();
        assert!(setup.run(&small).is_ok());
    }

    #[test]
    fn a_licence_is_asked_for() {
        let home = tempfile::tempdir().unwrap();
        let gpl = Recipe { licence: Some(Licence::Gpl3), ..recipe(home.path(), "", 1, &[]) };
        let refusal = install(home.path(), &gpl).unwrap_err().to_string();
        assert!(refusal.contains("ko-eval setup small --accept-gpl"), "{refusal}");
        let convert = |_: &Path, _: &Path, _: &str| Err("nothing to convert".into());
        let setup = Setup::new(&convert).home(home.path()).accept(Licence::Gpl3);
        assert!(setup.run(&gpl).is_ok());
    }
}
