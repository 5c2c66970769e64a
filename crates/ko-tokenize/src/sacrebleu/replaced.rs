//! What `13a` replaces before it cuts, and where the result came from.

use std::ops::Range;

/// In sacreBLEU's order: `&amp;lt;` becomes `<`.
const REPLACEMENTS: [(&str, &str); 7] = [
    ("<skipped>", ""),
    ("-\n", ""),
    ("\n", " "),
    ("&quot;", "\""),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
];

/// A text in which something was replaced.
pub(super) struct Replaced {
    text: String,
    /// For each byte of the text, the bytes of the original behind it.
    origins: Vec<Range<usize>>,
}

impl Replaced {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the original behind a span of the text.
    pub(super) fn original(&self, span: Range<usize>) -> Range<usize> {
        let origins = self.origins.get(span).unwrap_or_default();
        match (origins.first(), origins.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        }
    }
}

/// The text with everything replaced; nothing if there is nothing to replace.
pub(super) fn replace(text: &str) -> Option<Replaced> {
    if !text.bytes().any(|byte| matches!(byte, b'<' | b'\n' | b'&'))
        || !REPLACEMENTS.iter().any(|(old, _)| text.contains(old))
    {
        return None;
    }
    let characters = text.char_indices().map(|(at, c)| at..at + c.len_utf8());
    let origins = characters.flat_map(|span| std::iter::repeat_n(span.clone(), span.len()));
    let mut replaced = Replaced { text: text.to_owned(), origins: origins.collect() };
    for (old, new) in REPLACEMENTS {
        if !replaced.text.contains(old) {
            continue;
        }
        let mut next = Replaced { text: String::new(), origins: Vec::new() };
        let mut at = 0;
        for (found, _) in replaced.text.match_indices(old) {
            next.copy(&replaced, at..found);
            at = found + old.len();
            next.text.push_str(new);
            let origin = replaced.original(found..at);
            next.origins.extend(new.bytes().map(|_| origin.clone()));
        }
        next.copy(&replaced, at..replaced.text.len());
        replaced = next;
    }
    Some(replaced)
}

impl Replaced {
    fn copy(&mut self, from: &Self, span: Range<usize>) {
        self.text.push_str(from.text.get(span.clone()).unwrap_or_default());
        self.origins.extend_from_slice(from.origins.get(span).unwrap_or_default());
    }
}
