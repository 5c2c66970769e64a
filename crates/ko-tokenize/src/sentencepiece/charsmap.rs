//! Normalisation rules, compiled into the model: what stands in the text, and what it becomes.
//!
//! The map is a double array over bytes in the layout of Darts-clone, and the results behind it, each ended by a zero byte.
//! A unit of the array is 32 bits: bits 0 to 7 the label, bit 8 whether a value hangs on it, bit 9 and bits 10 to 30 the
//! offset of its children, bit 31 that it is a value itself.

/// The rules of one model. Empty: every character stays as it is.
#[derive(Clone, Default)]
pub(super) struct CharsMap {
    units: Vec<u32>,
    results: String,
    /// For each character up to U+FFFF, what a rule may do with it.
    begins: Vec<Begins>,
}

/// What a rule may do with a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    /// No rule begins with it.
    Nothing,
    /// Rules begin with it and a character that none of the common ones is.
    Pair,
    /// A rule may change it whatever follows.
    Anything,
}

impl CharsMap {
    /// Reads the bytes of a model file.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let broken = || "its normalisation rule is broken".to_owned();
        let (size, rest) = bytes.split_first_chunk().ok_or_else(broken)?;
        let size = u32::from_le_bytes(*size) as usize;
        // SentencePiece's own conditions.
        if size < 1024 || !size.is_multiple_of(1024) || size >= rest.len() {
            return Err(broken());
        }
        let (units, results) = rest.split_at_checked(size).ok_or_else(broken)?;
        let units = units.as_chunks().0.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        let results = String::from_utf8(results.to_vec())
            .map_err(|_| "its normalisation rule writes what is not UTF-8".to_owned())?;
        if !results.ends_with('\0') {
            return Err(broken());
        }
        let mut map = Self { units, results, begins: Vec::new() };
        if !map.leads_to_texts() {
            return Err("its normalisation rule leads where no text is".to_owned());
        }
        map.begins = (0..=0xffff).map(|point| map.begins_with(point)).collect();
        Ok(map)
    }

    /// Whether every rule leads to a text. Units that no path leads to may hold anything.
    fn leads_to_texts(&self) -> bool {
        let mut seen = vec![false; self.units.len()];
        let Some(&root) = self.units.first() else { return true };
        let mut open = vec![offset(root) as usize];
        while let Some(position) = open.pop() {
            match seen.get_mut(position) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            for byte in 0..=255u8 {
                let child = position ^ usize::from(byte);
                let Some(&unit) = self.units.get(child) else { continue };
                if label(unit) != u32::from(byte) {
                    continue;
                }
                let next = child ^ offset(unit) as usize;
                if has_value(unit) && self.result_at(next).is_none() {
                    return false;
                }
                open.push(next);
            }
        }
        true
    }

    fn begins_with(&self, point: u32) -> Begins {
        let Some(c) = char::from_u32(point) else { return Begins::Nothing };
        let mut bytes = [0; 8];
        let length = c.encode_utf8(&mut bytes).len();
        let mut valued = false;
        let reached = self.walk(bytes.get(..length).unwrap_or_default(), |_, _| valued = true);
        match (valued, reached) {
            (true, _) => Begins::Anything,
            (false, false) => Begins::Nothing,
            (false, true) => {
                // Whether a rule goes on with a byte that a common character begins with.
                let goes_on = (0..=u8::MAX).filter(|byte| is_common_lead(*byte)).any(|byte| {
                    if let Some(next) = bytes.get_mut(length) {
                        *next = byte;
                    }
                    self.walk(bytes.get(..=length).unwrap_or_default(), |_, _| {})
                });
                if goes_on { Begins::Anything } else { Begins::Pair }
            }
        }
    }

    /// Whether a rule may change the character before the next one.
    #[inline]
    pub(super) fn may_change(&self, c: char, next: Option<char>) -> bool {
        if self.units.is_empty() {
            return false;
        }
        match self.begins.get(c as usize) {
            Some(Begins::Nothing) => false,
            Some(Begins::Pair) => next.is_some_and(|next| !is_common(next)),
            Some(Begins::Anything) | None => true,
        }
    }

    /// Whether a rule may begin with the character.
    #[inline]
    pub(super) fn begins(&self, c: char) -> bool {
        let begins = self.begins.get(c as usize).copied().unwrap_or(Begins::Anything);
        !self.units.is_empty() && begins != Begins::Nothing
    }

    /// The longest rule that the text begins with: how many bytes it takes, and what they become.
    pub(super) fn longest(&self, text: &str) -> Option<(usize, &str)> {
        let mut longest = None;
        self.walk(text.as_bytes(), |length, at| longest = Some((length, at)));
        let (length, at) = longest.filter(|(length, _)| text.is_char_boundary(*length))?;
        Some((length, self.result_at(at)?))
    }

    /// Follows the bytes as far as there are rules, and hands over the length and the value's place of each rule that is
    /// a prefix. Tells whether all bytes were followed.
    fn walk(&self, bytes: &[u8], mut each: impl FnMut(usize, usize)) -> bool {
        let Some(&root) = self.units.first() else { return false };
        let mut position = offset(root) as usize;
        for (before, &byte) in bytes.iter().enumerate() {
            position ^= usize::from(byte);
            let Some(&unit) = self.units.get(position) else { return false };
            if label(unit) != u32::from(byte) {
                return false;
            }
            position ^= offset(unit) as usize;
            if has_value(unit) {
                each(before + 1, position);
            }
        }
        true
    }

    /// The text that the value in a unit points to.
    fn result_at(&self, position: usize) -> Option<&str> {
        let start = (self.units.get(position)? & 0x7fff_ffff) as usize;
        self.results.get(start..)?.split('\0').next()
    }
}

/// Whether a character is one of those that most texts are made of: ASCII, and what begins with the bytes of Hangul syllables.
fn is_common(c: char) -> bool {
    c.is_ascii() || ('\u{b000}'..='\u{cfff}').contains(&c)
}

/// Whether a character of [`is_common`] begins with the byte.
fn is_common_lead(byte: u8) -> bool {
    byte.is_ascii() || matches!(byte, 0xeb | 0xec)
}

fn label(unit: u32) -> u32 {
    unit & (1 << 31 | 0xff)
}

fn has_value(unit: u32) -> bool {
    unit >> 8 & 1 == 1
}

fn offset(unit: u32) -> u32 {
    (unit >> 10) << ((unit & 1 << 9) >> 6)
}
