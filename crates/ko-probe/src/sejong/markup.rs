//! What stands around the trees of a file as it is distributed: a document type, a header, tags.

/// Where in the markup a file is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Markup {
    /// In none.
    #[default]
    Outside,
    /// In what began with `start` on a line, up to `end`.
    Within { start: &'static str, end: &'static str, line: usize },
}

impl Markup {
    /// Whether a line is markup and no part of a sentence; the number is the line's.
    pub(super) fn hides(&mut self, line: &str, number: usize) -> bool {
        let line = line.trim().to_ascii_lowercase();
        if let Self::Within { end, .. } = *self {
            if line.contains(end) {
                *self = Self::Outside;
            }
            return true;
        }
        let begins = [
            ("<!doctype", if line.contains('[') { "]>" } else { ">" }),
            ("<teiheader", "</teiheader>"),
            ("<!--", "-->"),
        ];
        let begun = begins.iter().find(|(start, _)| line.starts_with(start));
        if let Some(&(start, end)) = begun.filter(|(_, end)| !line.contains(end)) {
            *self = Self::Within { start, end, line: number };
        }
        line.starts_with('<')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_ends_where_it_says() {
        let text = "<!DOCTYPE tei.2 SYSTEM \"tei2.dtd\" [\n\t<!ENTITY % a \"INCLUDE\">\n; no sentence\n]>\n\
            <tei.2>\n<teiHeader>\n\t<title>; 제목\n(S 가/VV)</title>\n</teiHeader>\n<text>\n; 비가 온다.\n(S\n</text>\n\
            <!DOCTYPE x>\n<!-- 한 줄 -->\n; 눈이 온다.\n";
        let mut markup = Markup::default();
        let numbered = text.lines().zip(1..);
        let shown: Vec<&str> = numbered
            .filter(|(line, number)| !markup.hides(line, *number))
            .map(|(l, _)| l)
            .collect();
        assert_eq!(shown, ["; 비가 온다.", "(S", "; 눈이 온다."]);
        assert_eq!(markup, Markup::Outside);
    }
}
