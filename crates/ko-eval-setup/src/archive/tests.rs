//! Archives made here, of which each holds one thing that it must not.

use super::*;
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use zip::write::SimpleFileOptions;

const LIMITS: Limits = Limits { files: 3, file_megabytes: 1, megabytes: 2 };

/// What an archive may hold.
enum Member<'m> {
    File(&'m str, Vec<u8>),
    Link(&'m str, &'m str),
    HardLink(&'m str, &'m str),
}
use Member::{File as Text, HardLink, Link};

fn text(name: &str) -> Member<'_> {
    Text(name, b"abc".to_vec())
}

fn tar_gz(folder: &Path, members: &[Member<'_>]) -> PathBuf {
    let path = folder.join("archive.tar.gz");
    let mut tar =
        tar::Builder::new(GzEncoder::new(fs::File::create(&path).unwrap(), Compression::fast()));
    for member in members {
        let (name, kind, content, target): (_, _, &[u8], _) = match member {
            Text(name, content) => (name, tar::EntryType::Regular, content.as_slice(), ""),
            Link(name, target) => (name, tar::EntryType::Symlink, &[], *target),
            HardLink(name, target) => (name, tar::EntryType::Link, &[], *target),
        };
        let mut header = tar::Header::new_gnu();
        // Written directly: the builder itself refuses such names.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.as_mut_bytes()[157..157 + target.len()].copy_from_slice(target.as_bytes());
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append(&header, content).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap();
    path
}

fn wheel(folder: &Path, members: &[Member<'_>]) -> PathBuf {
    let path = folder.join("archive.whl");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for member in members {
        match member {
            Text(name, content) => {
                zip.start_file(*name, SimpleFileOptions::default()).unwrap();
                zip.write_all(content).unwrap();
            }
            Link(name, target) | HardLink(name, target) => {
                zip.add_symlink(*name, *target, SimpleFileOptions::default()).unwrap();
            }
        }
    }
    zip.finish().unwrap();
    path
}

type Make = fn(&Path, &[Member<'_>]) -> PathBuf;

/// Every form of archive, unpacked under a folder of its own; what is beside that folder must stay untouched.
fn unpacked(members: &[Member<'_>]) -> Vec<std::result::Result<Vec<String>, String>> {
    let forms: [(Form, Make); 2] = [(Form::Zip, wheel), (Form::TarGz, tar_gz)];
    let all = forms.into_iter().map(|(form, make)| {
        let folder = tempfile::tempdir().unwrap();
        let archive = make(folder.path(), members);
        let into = folder.path().join("into/deep");
        let result = unpack(&archive, form, &into, LIMITS, &(), |name| Some(name.to_owned()));
        let beside: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert!(beside.len() <= 2, "only the archive and the folder: {beside:?}");
        result.map_err(|error| error.to_string()).map(|()| {
            let mut names: Vec<_> = fs::read_dir(&into)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        })
    });
    all.collect()
}

fn assert_refused(members: &[Member<'_>], reason: &str) {
    for result in unpacked(members) {
        let error = result.expect_err(reason);
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn files_come_out_and_folders_are_made() {
    for result in unpacked(&[text("a.txt"), text("b/c.txt")]) {
        assert_eq!(result.unwrap(), ["a.txt", "b"]);
    }
}

#[test]
fn no_name_leads_out_of_the_folder() {
    for bad in ["../x", "/x", "a/../../x", "..\\x", "a/../../../into/x"] {
        assert_refused(&[text("good.txt"), text(bad)], "leads out of the folder");
    }
}

#[test]
fn links_are_not_made_and_none_leads_out() {
    for result in unpacked(&[text("a.txt"), Link("b", "a.txt"), Link("c/d", "../a.txt")]) {
        assert_eq!(result.unwrap(), ["a.txt"], "a link to something inside is passed over");
    }
    for target in ["/etc/passwd", "../x", "c/../../x"] {
        assert_refused(&[text("a.txt"), Link("b", target)], "leads out of the folder");
    }
    assert_refused(&[text("a.txt"), Link("c/d", "../../x")], "the link `c/d`");
    let folder = tempfile::tempdir().unwrap();
    let archive = tar_gz(folder.path(), &[text("a.txt"), HardLink("c/d", "../x")]);
    let into = folder.path().join("into");
    let all = |name: &str| Some(name.to_owned());
    let error = unpack(&archive, Form::TarGz, &into, LIMITS, &(), all).unwrap_err().to_string();
    assert!(error.contains("the link `c/d`"), "a hard link is named from the root: {error}");
}

#[test]
fn no_member_replaces_another() {
    let folder = tempfile::tempdir().unwrap();
    let archive = tar_gz(folder.path(), &[text("a.txt"), text("a.txt")]);
    let into = folder.path().join("into");
    let all = |name: &str| Some(name.to_owned());
    let error = unpack(&archive, Form::TarGz, &into, LIMITS, &(), all).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
}

#[test]
fn more_than_the_limits_allow_is_refused() {
    let zeros = |megabytes: usize| vec![0; megabytes * MEGABYTE as usize];
    let large = [text("a"), Text("b", [zeros(1), vec![1]].concat())];
    assert_refused(&large, "`b` is too large: a file may have 1 MB");
    let many = [text("a"), text("b"), text("c"), text("d")];
    assert_refused(&many, "more than 3 files");
    let much = [Text("a", zeros(1)), Text("b", zeros(1)), Text("c", zeros(1))];
    for result in unpacked(&much) {
        let error = result.unwrap_err();
        assert!(error.contains("too large") || error.contains("more than the limit"), "{error}");
    }
}

#[test]
fn what_a_tar_passes_over_counts_too() {
    let folder = tempfile::tempdir().unwrap();
    let archive =
        tar_gz(folder.path(), &[Text("skipped", vec![0; 3 * MEGABYTE as usize]), text("wanted")]);
    let into = folder.path().join("into");
    let wanted = |name: &str| (name == "wanted").then(|| name.to_owned());
    let error = unpack(&archive, Form::TarGz, &into, LIMITS, &(), wanted).unwrap_err().to_string();
    assert!(error.contains("more than the limit"), "{error}");
}

#[test]
fn an_archive_without_what_is_looked_for_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("into");
    let archive = wheel(folder.path(), &[text("a.txt")]);
    let error = unpack(&archive, Form::Zip, &into, LIMITS, &(), |_| None).unwrap_err().to_string();
    assert!(error.contains("holds nothing of what was looked for"), "{error}");
    fs::write(&archive, "no zip archive").unwrap();
    let any = |name: &str| Some(name.to_owned());
    assert!(unpack(&archive, Form::Zip, &into, LIMITS, &(), any).is_err());
    assert!(unpack(&archive, Form::TarGz, &into, LIMITS, &(), any).is_err());
}

#[test]
fn a_recipe_cannot_lead_out_either() {
    let folder = tempfile::tempdir().unwrap();
    let archive = wheel(folder.path(), &[text("a.txt")]);
    let into = folder.path().join("into");
    let out = |_: &str| Some("../x".to_owned());
    let error = unpack(&archive, Form::Zip, &into, LIMITS, &(), out).unwrap_err().to_string();
    assert!(error.contains("leads out"), "{error}");
    assert!(!folder.path().join("x").exists());
}
