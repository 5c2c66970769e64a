//! The files that lindera's builder reads, written from MeCab's compiled ones.

use crate::{
    error::{Error, Result},
    morpheme::{
        DictionaryError,
        compiled::{self, CharInfo, Entry},
        dictionary::Source,
    },
};
use lindera_dictionary::{
    dictionary::{metadata::Metadata, schema::Schema},
    space_penalty::{SpacePenaltyConfig, SpacePenaltyRule},
};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, BufWriter, Write},
    path::Path,
};

/// Stands for U+0020 inside a word (four entries end in one), because lindera's builder trims words.
const INNER_SPACE: char = '\u{f8ff}';

/// Writes them all into a folder.
pub(super) fn write_all(source: &Source, folder: &Path) -> Result<()> {
    if let Some(odd) = source.lexicon.iter().find(|entry| is_trimmed(&entry.surface)) {
        let reason = format!("lindera would trim `{}`", odd.surface.escape_unicode());
        return Err(DictionaryError::Lindera { path: folder.to_owned(), reason }.into());
    }
    write(&folder.join("lexicon.csv"), |out| {
        source.lexicon.iter().try_for_each(|entry| write_entry(out, entry))
    })?;
    write(&folder.join("unk.def"), |out| {
        source.unknown.iter().try_for_each(|entry| {
            let Entry { surface, left, right, cost, features, .. } = entry;
            writeln!(out, "{surface},{left},{right},{cost},{features}")
        })
    })?;
    write(&folder.join("matrix.def"), |out| write_matrix(out, &source.matrix))?;
    write(&folder.join("char.def"), |out| {
        write_characters(out, &source.categories, &source.characters)
    })
}

fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let file = fs::File::create(path).map_err(Error::io(path))?;
    let mut out = BufWriter::new(file);
    fill(&mut out).and_then(|()| out.flush()).map_err(Error::io(path))
}

fn write_entry(out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
    let Entry { surface, left, right, cost, features, .. } = entry;
    let surface = surface.replace('"', "\"\"").replace(' ', &INNER_SPACE.to_string());
    writeln!(out, "\"{surface}\",{left},{right},{cost},{features}")
}

/// Whether something other than U+0020, which [`INNER_SPACE`] stands for, would be lost.
fn is_trimmed(surface: &str) -> bool {
    let kept = surface.replace(' ', "·");
    kept.trim() != kept || surface.contains(INNER_SPACE)
}

fn write_matrix(out: &mut dyn Write, matrix: &compiled::Matrix) -> io::Result<()> {
    writeln!(out, "{} {}", matrix.rights, matrix.lefts)?;
    for (left, row) in matrix.costs.chunks(usize::from(matrix.rights).max(1)).enumerate() {
        for (right, cost) in row.iter().enumerate() {
            writeln!(out, "{right} {left} {cost}")?;
        }
    }
    Ok(())
}

fn write_characters(out: &mut dyn Write, names: &[String], infos: &[CharInfo]) -> io::Result<()> {
    for (category, name) in names.iter().enumerate() {
        let example = infos.iter().find(|info| info.default_category() == category);
        let (invoke, group, length) = example.map_or((0, 0, 0), |info| info.unknown());
        writeln!(out, "{name} {invoke} {group} {length}")?;
    }
    // lindera reads neither surrogates, which no text holds, nor U+FFFE, which is DEFAULT unless said otherwise.
    let codes = infos.iter().enumerate().filter(|(code, _)| !(0xd800..0xe000).contains(code));
    let mut runs: Vec<(usize, usize, CharInfo)> = Vec::new();
    for (code, info) in codes.take_while(|(code, _)| *code < 0xfffe) {
        match runs.last_mut() {
            Some((_, last, same)) if *same == *info && *last + 1 == code => *last = code,
            _ => runs.push((code, code, *info)),
        }
    }
    for (first, last, info) in runs {
        write!(out, "0x{first:04X}..0x{last:04X}")?;
        // The default category comes first.
        let default = info.default_category();
        let others = (0..names.len()).filter(|c| *c != default && info.is_in(*c));
        for category in std::iter::once(default).chain(others) {
            write!(out, " {}", names.get(category).map_or("DEFAULT", String::as_str))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// What lindera is told about the dictionary.
pub(super) fn metadata(name: &str, source: &Source) -> Metadata {
    let fields = |names: &[&str]| Schema::new(names.iter().map(|name| (*name).into()).collect());
    let mut rules: BTreeMap<i32, Vec<&str>> = BTreeMap::new();
    for (tag, cost) in source.penalty_by_tag().into_iter().filter(|(_, cost)| *cost != 0) {
        rules.entry(cost).or_default().push(tag);
    }
    let rules = rules.into_iter().map(|(cost, tags)| SpacePenaltyRule::new(tags, cost)).collect();
    let dictionary_schema = fields(&[
        "surface",
        "left_context_id",
        "right_context_id",
        "cost",
        "part_of_speech_tag",
        "meaning",
        "presence_absence",
        "reading",
        "type",
        "first_part_of_speech",
        "last_part_of_speech",
        "expression",
    ]);
    Metadata {
        name: name.to_owned(),
        dictionary_schema,
        user_dictionary_schema: fields(&["surface", "part_of_speech_tag", "reading"]),
        space_penalty: Some(SpacePenaltyConfig::new(rules)),
        ..Metadata::default()
    }
}
