//! What a search reads of a dictionary, all of it verified.

use super::{
    class::{self, Character, Class},
    format::{self, Checksum, Header, Sections},
    memory::Bytes,
    trie::{self, Slot},
    word::{Kind, Packed, Word},
};
use std::{borrow::Cow, ops::Range};

/// A dictionary's bytes and what stands where.
///
/// What is small is unpacked; the rest is read where it lies, so that a dictionary inside a program is used as it is.
pub(in crate::morpheme) struct Tables {
    bytes: Bytes,
    sections: Sections<Range<usize>>,
    rights: usize,
    /// The least cost of each row of the matrix.
    lowest: Vec<i16>,
    kinds: Vec<Kind>,
    classes: Vec<Class>,
    /// Per category.
    unknown: Vec<Vec<Word>>,
    penalties: Vec<i32>,
    tags: Vec<Cow<'static, str>>,
}

/// The parts that are read at every place of a text.
#[derive(Clone, Copy)]
pub(in crate::morpheme) struct View<'d> {
    matrix: &'d [[u8; 2]],
    rights: usize,
    lowest: &'d [i16],
    characters: &'d [Character],
    astral: &'d [[u8; 8]],
    pub(in crate::morpheme) trie: &'d [Slot],
    words: &'d [Packed],
    kinds: &'d [Kind],
    classes: &'d [Class],
    unknown: &'d [Vec<Word>],
}

impl Tables {
    /// Verifies a file.
    pub(super) fn read(bytes: Bytes, checksum: Checksum) -> Result<(Header, Self), String> {
        let (header, sections) = format::read(&bytes, checksum)?;
        let section = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        let kinds =
            parts::<8>(section(&sections.kinds), "kinds")?.iter().copied().map(Kind::from_bytes);
        let classes = parts::<8>(section(&sections.classes), "classes")?;
        let penalties = parts::<4>(section(&sections.penalties), "penalties")?;
        let words = parts::<4>(section(&sections.unknown), "unknown words")?;
        let words: Vec<Word> = words.iter().copied().map(Word::unpack).collect();
        let categories = parts::<4>(section(&sections.categories), "categories")?;
        let unknown = categories.iter().map(|&[a, b, c, d]| {
            let [first, count] = [[a, b], [c, d]].map(|n| usize::from(u16::from_le_bytes(n)));
            let words = words.get(first..first + count).filter(|words| !words.is_empty());
            words.map(<[Word]>::to_vec).ok_or("a category has no unknown words")
        });
        let mut tables = Self {
            rights: header.rights,
            lowest: Vec::new(),
            kinds: kinds.collect(),
            classes: classes.iter().copied().map(Class::from_bytes).collect(),
            unknown: unknown.collect::<Result<_, _>>()?,
            penalties: penalties.iter().copied().map(i32::from_le_bytes).collect(),
            tags: header.tags.iter().map(|tag| super::super::mecab_ko::tag_text(tag)).collect(),
            sections,
            bytes,
        };
        tables.verify(&header)?;
        let rows = tables.view().matrix.chunks(header.rights);
        let lowest = |row: &[[u8; 2]]| row.iter().copied().map(i16::from_le_bytes).min();
        tables.lowest = rows.map(|row| lowest(row).unwrap_or(0)).collect();
        Ok((header, tables))
    }

    /// That every number which names something names something that is there.
    fn verify(&self, header: &Header) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        let Header { lefts, rights, .. } = *header;
        let view = self.view();
        for (name, range, size) in [
            ("matrix", &self.sections.matrix, 2),
            ("characters", &self.sections.characters, 4),
            ("code points", &self.sections.astral, 8),
            ("trie", &self.sections.trie, 8),
            ("words", &self.sections.words, 4),
            ("expressions", &self.sections.expressions, 8),
        ] {
            check(range.len().is_multiple_of(size), &format!("its {name} end within one"))?;
        }
        let cells = lefts.checked_mul(rights);
        check(
            cells == Some(view.matrix.len())
                && (1..=1 << 16).contains(&lefts)
                && (1..=1 << 16).contains(&rights),
            &format!("its matrix has {} costs and not {lefts} × {rights}", view.matrix.len()),
        )?;
        check(
            self.penalties.len() == lefts,
            "its space penalties are not one for each left number",
        )?;
        let connects =
            |left: u16, right: u16| usize::from(left) < lefts && usize::from(right) < rights;
        let is_kind = |kind: &Kind| {
            connects(kind.left, kind.right) && usize::from(kind.tag) < self.tags.len()
        };
        check(self.kinds.iter().all(is_kind), "a kind of words connects beyond the matrix")?;
        check(header.contexts.all(connects), "a tag connects beyond the matrix")?;
        let is_word = |word: Word| usize::from(word.kind) < self.kinds.len();
        check(
            view.words.iter().all(|word| is_word(Word::unpack(*word)))
                && self.unknown.iter().flatten().all(|word| is_word(*word)),
            "a word has a kind that is not there",
        )?;
        check(
            view.words.last().is_none_or(|word| !Word::unpack(*word).more),
            "the last word is followed by another",
        )?;
        check(
            trie::is_within(view.trie, view.words.len()),
            "an entry has words that are not there",
        )?;
        check(view.characters.len() == 1 << 16, "its characters are not those of the basic plane")?;
        check(
            view.characters.iter().all(|c| class::class(*c) < self.classes.len()),
            "a code point has a class that is not there",
        )?;
        check(
            self.classes.iter().all(|class| usize::from(class.category) < self.unknown.len()),
            "a class has a category that is not there",
        )?;
        check(
            std::str::from_utf8(self.section(&self.sections.texts)).is_ok(),
            "its texts are not UTF-8",
        )
    }

    fn section(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// What a search needs.
    pub(in crate::morpheme) fn view(&self) -> View<'_> {
        let Sections { matrix, characters, astral, trie, words, .. } = &self.sections;
        View {
            matrix: self.section(matrix).as_chunks().0,
            rights: self.rights,
            lowest: &self.lowest,
            characters: self.section(characters).as_chunks().0,
            astral: self.section(astral).as_chunks().0,
            trie: self.section(trie).as_chunks().0,
            words: self.section(words).as_chunks().0,
            kinds: &self.kinds,
            classes: &self.classes,
            unknown: &self.unknown,
        }
    }

    /// Added to a word after white space, by left number.
    pub(in crate::morpheme) fn penalties(&self) -> &[i32] {
        &self.penalties
    }

    /// A kind of words that connect so.
    pub(super) fn kind_connecting(&self, left: u16, right: u16) -> Option<u16> {
        let connects = |kind: &Kind| (kind.left, kind.right) == (left, right);
        u16::try_from(self.kinds.iter().position(connects)?).ok()
    }

    /// How many left and right numbers there are.
    pub(in crate::morpheme) fn sizes(&self) -> (usize, usize) {
        (self.penalties.len(), self.rights)
    }

    /// A kind by its number.
    pub(in crate::morpheme) fn kind(&self, number: u16) -> Kind {
        self.view().kind(number)
    }

    /// The kind of a word.
    pub(in crate::morpheme) fn kind_of(&self, word: u32) -> Kind {
        let view = self.view();
        view.kind(view.word(word).kind)
    }

    /// The tag of a kind.
    pub(in crate::morpheme) fn tag(&self, kind: Kind) -> &Cow<'static, str> {
        const NONE: &Cow<'static, str> = &Cow::Borrowed("");
        self.tags.get(usize::from(kind.tag)).unwrap_or(NONE)
    }

    /// The morphemes behind a word, as the dictionary writes them: `하/VV/*+았/EP/*`.
    pub(in crate::morpheme) fn expression(&self, word: u32) -> Option<&str> {
        let (index, _) = self.section(&self.sections.expressions).as_chunks::<8>();
        let texts = self.section(&self.sections.texts);
        let entry = |&[a, b, c, d, e, f, g, h]: &[u8; 8]| {
            (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]) as usize)
        };
        let at = index.binary_search_by_key(&word, |bytes| entry(bytes).0).ok()?;
        let (_, start) = index.get(at).map(entry)?;
        let end = index.get(at + 1).map_or(texts.len(), |bytes| entry(bytes).1);
        std::str::from_utf8(texts.get(start..end)?).ok()
    }
}

#[allow(
    clippy::indexing_slicing,
    reason = "all numbers in a dictionary are below the sizes of what they name: `verify` looked"
)]
impl<'d> View<'d> {
    /// Code points beyond the basic plane count as U+0000, as in MeCab.
    #[inline]
    pub(in crate::morpheme) fn character(&self, c: char) -> Character {
        match self.characters.get(c as usize) {
            Some(character) => *character,
            None => self.beyond(c),
        }
    }

    #[cold]
    fn beyond(&self, c: char) -> Character {
        let entry = |&[a, b, c, d, e, f, ..]: &[u8; 8]| (u32::from_le_bytes([a, b, c, d]), [e, f]);
        let found = self.astral.binary_search_by_key(&(c as u32), |bytes| entry(bytes).0);
        let [low, high] = found.map_or([0, 0], |at| entry(&self.astral[at]).1);
        let [_, _, class, flags] = self.characters[0];
        [low, high, class, flags]
    }

    /// What it costs to stand before a word with this left number, by right number.
    #[inline]
    pub(in crate::morpheme) fn row(&self, left: u16) -> &'d [[u8; 2]] {
        let start = usize::from(left) * self.rights;
        &self.matrix[start..start + self.rights]
    }

    /// The least of these costs.
    #[inline]
    pub(in crate::morpheme) fn lowest(&self, left: u16) -> i16 {
        self.lowest[usize::from(left)]
    }

    #[inline]
    pub(in crate::morpheme) fn word(&self, number: u32) -> Word {
        Word::unpack(self.words[number as usize])
    }

    #[inline]
    pub(in crate::morpheme) fn kind(&self, number: u16) -> Kind {
        self.kinds[usize::from(number)]
    }

    /// The class of a code point.
    #[inline]
    pub(in crate::morpheme) fn class(&self, character: Character) -> Class {
        self.classes[class::class(character)]
    }

    /// The unknown words of a category.
    pub(in crate::morpheme) fn unknown(&self, category: u8) -> &'d [Word] {
        &self.unknown[usize::from(category)]
    }
}

/// A section in parts of so many bytes.
fn parts<'a, const N: usize>(section: &'a [u8], name: &str) -> Result<&'a [[u8; N]], String> {
    match section.as_chunks() {
        (parts, []) => Ok(parts),
        _ => Err(format!("its {name} end within one")),
    }
}
