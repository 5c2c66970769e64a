//! What a leading byte tells about its character.

/// The length in bytes of the character at `at`, and whether it is white space; nothing at the end.
#[inline]
pub(crate) fn look(text: &str, at: usize) -> Option<(usize, bool)> {
    Some(match *text.as_bytes().get(at)? {
        b' ' | b'\t'..=b'\r' => (1, true),
        0x00..=0x7f => (1, false),
        // Most of a Korean text: no white space lies in U+A000 to U+DFFF.
        0xea..=0xed => (3, false),
        _ => {
            let c = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
            (c.len_utf8(), c.is_whitespace())
        }
    })
}
