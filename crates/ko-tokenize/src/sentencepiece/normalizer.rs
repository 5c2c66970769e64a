//! What SentencePiece does to a text before it cuts it.
//!
//! Rules of the character map apply longest first; white space becomes `▁`; runs of it shrink to one and go at both ends
//! (`remove_extra_whitespaces`); one is put before the text, or behind it (`add_dummy_prefix`, `treat_whitespace_as_suffix`).
//! User-defined symbols stay as they are.

use super::{charsmap::CharsMap, proto::NormalizerSpec, trie::Trie};
use ko_eval_core::Token;

/// SentencePiece's mark for white space.
pub(super) const SPACE: &str = "▁";

/// How many times longer a rule may make a text: real ones stay below 20 (U+FDFA becomes eighteen characters).
const EXPANSION: usize = 64;

#[derive(Clone)]
pub(super) struct Normalizer {
    map: CharsMap,
    add_dummy: bool,
    as_suffix: bool,
    remove_extra: bool,
    escape: bool,
}

/// A normalised text, and where it came from if somebody asks.
#[derive(Default)]
pub(super) struct Normalized {
    pub(super) text: String,
    /// Whether `origins` are wanted.
    traced: bool,
    /// For each byte of the text, and for its end, where in the original it came from.
    origins: Vec<usize>,
}

impl Normalized {
    /// Whether origins are wanted.
    pub(super) fn trace(&mut self, traced: bool) {
        self.traced = traced;
    }

    /// Where in the original the byte came from.
    pub(super) fn origin(&self, at: usize) -> usize {
        self.origins.get(at).or(self.origins.last()).copied().unwrap_or(0)
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.origins.clear();
    }

    /// Adds characters that came from as many at `origin`.
    #[inline]
    fn push_each(&mut self, text: &str, origin: usize) {
        self.text.push_str(text);
        if self.traced {
            for (at, c) in text.char_indices() {
                self.origins.resize(self.origins.len() + c.len_utf8(), origin + at);
            }
        }
    }

    #[inline]
    fn push(&mut self, text: &str, origin: usize) {
        self.text.push_str(text);
        if self.traced {
            self.origins.resize(self.text.len(), origin);
        }
    }
}

impl Normalizer {
    /// # Errors
    /// What is wrong with the rules.
    pub(super) fn new(spec: &NormalizerSpec, as_suffix: bool) -> Result<Self, String> {
        const KNOWN: [&str; 7] =
            ["", "identity", "nfkc", "nfkc_cf", "nmt_nfkc", "nmt_nfkc_cf", "user_defined"];
        // A rule is applied from the compiled map whatever its name; without one the name must say that there is nothing to do.
        if spec.charsmap.is_empty() && !KNOWN.contains(&spec.name.as_str()) {
            return Err(format!("unknown normalisation rule `{}`", spec.name));
        }
        Ok(Self {
            map: CharsMap::read(&spec.charsmap)?,
            add_dummy: spec.add_dummy_prefix,
            as_suffix,
            remove_extra: spec.remove_extra_whitespaces,
            escape: spec.escape_whitespaces,
        })
    }

    /// How a space is written.
    fn space(&self) -> &'static str {
        if self.escape { SPACE } else { " " }
    }

    /// Normalises a text; `symbols` are left as they are.
    ///
    /// # Errors
    /// [`Error::TooLong`](ko_eval_core::Error::TooLong): a rule may write far more than it reads, and a hostile one does.
    pub(super) fn normalize(
        &self,
        original: &str,
        symbols: &Trie,
        to: &mut Normalized,
    ) -> ko_eval_core::Result<()> {
        to.clear();
        let most = original.len().saturating_mul(EXPANSION).saturating_add(1 << 20);
        let limit = most.min(Token::MAX_TEXT);
        let mut at = 0;
        let rest = |at: usize| original.get(at..).unwrap_or_default();
        if self.remove_extra {
            while let Some((length, " ")) = self.prefix(rest(at), symbols) {
                at += length;
            }
        }
        if at >= original.len() {
            return Ok(());
        }
        to.text.reserve(original.len() - at + SPACE.len() * 2);
        if self.add_dummy && !self.as_suffix {
            to.push(self.space(), at);
        }
        let mut after_space = self.remove_extra;
        loop {
            let plain = if symbols.is_empty() { self.plain(rest(at)) } else { 0 };
            if plain > 0 {
                to.push_each(rest(at).get(..plain).unwrap_or_default(), at);
                at += plain;
                after_space = false;
            }
            let Some((length, mut text)) = self.prefix(rest(at), symbols) else { break };
            if after_space {
                text = text.trim_start_matches(' ');
            }
            if !text.is_empty() {
                if self.escape && text.contains(' ') {
                    let mut buffer = [0; 4];
                    for c in text.chars() {
                        to.push(if c == ' ' { SPACE } else { c.encode_utf8(&mut buffer) }, at);
                    }
                } else {
                    to.push(text, at);
                }
                after_space = self.remove_extra && text.ends_with(' ');
            }
            at += length;
            if to.text.len() > limit {
                let (what, len) = ("a normalised text".to_owned(), to.text.len());
                return Err(ko_eval_core::Error::TooLong { what, len, unit: "bytes", limit });
            }
        }
        if self.remove_extra {
            let space = self.space();
            while let Some(shorter) = to.text.strip_suffix(space).map(str::len) {
                at = if to.traced { to.origin(shorter) } else { at };
                to.text.truncate(shorter);
                to.origins.truncate(shorter);
            }
        }
        if self.add_dummy && self.as_suffix {
            to.push(self.space(), at);
        }
        if to.traced {
            to.origins.push(at);
        }
        Ok(())
    }

    /// How many bytes at the beginning stay as they are: no space, and nothing that a rule may change.
    #[inline]
    fn plain(&self, text: &str) -> usize {
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            if c == ' ' || self.map.may_change(c, next) {
                return at;
            }
        }
        text.len()
    }

    /// The next bytes that are normalised together, and what they become.
    #[inline]
    fn prefix<'a>(&'a self, text: &'a str, symbols: &Trie) -> Option<(usize, &'a str)> {
        let first = text.chars().next()?;
        if !symbols.is_empty()
            && let Some((length, _)) = symbols.longest(text)
        {
            return Some((length, text.get(..length)?));
        }
        if self.map.begins(first)
            && let Some(found) = self.map.longest(text)
        {
            return Some(found);
        }
        let length = first.len_utf8();
        Some((length, text.get(..length)?))
    }
}
