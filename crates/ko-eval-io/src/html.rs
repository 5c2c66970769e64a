//! Pages that need nothing else: one file, no request to anywhere, and no text that becomes markup.
//!
//! A [`Page`] carries its style, its script and its data. The content policy that stands in it allows exactly that style and
//! that script, by their checksums, and nothing from elsewhere.
//!
//! ```
//! use ko_eval_io::html::{Page, escape};
//!
//! let body = format!("<p>{}</p>", escape("<script>alert('안녕')</script>"));
//! let page = Page { title: "비교", lang: "ko", style: "p{margin:0}", body: &body, ..Page::default() }.render();
//! assert!(page.contains("&lt;script&gt;") && page.contains("style-src 'sha256-"));
//! ```

use ko_eval_core::Fingerprint;

/// A page in one file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page<'p> {
    /// What stands in the window's title.
    pub title: &'p str,
    /// The language it is written in: `ko`, `en`.
    pub lang: &'p str,
    /// CSS.
    pub style: &'p str,
    /// JavaScript, run when everything else is there; none if it is empty.
    pub script: &'p str,
    /// JSON for the script, in the element with the id `data`; none if it is empty.
    pub data: &'p str,
    /// HTML, in which every text is [escaped](escape) already.
    pub body: &'p str,
}

impl Page<'_> {
    /// The page.
    pub fn render(&self) -> String {
        let Self { title, lang, style, script, data, body } = self;
        let (title, lang) = (escape(title), escape(lang));
        let policy = [
            "default-src 'none'".to_owned(),
            allow("style-src", style),
            allow("script-src", script),
            "base-uri 'none'".to_owned(),
            "form-action 'none'".to_owned(),
        ];
        let mut page = format!(
            "<!doctype html>\n<html lang=\"{lang}\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\
             <title>{title}</title><style>{style}</style></head><body>\n{body}",
            policy.join(";")
        );
        if !data.is_empty() {
            // Within JSON a `<` stands only inside of texts, where it may be written so.
            let data = data.replace('<', "\\u003c");
            page += &format!("<script type=\"application/json\" id=\"data\">{data}</script>\n");
        }
        if !script.is_empty() {
            page += &format!("<script>{script}</script>");
        }
        page + "</body></html>\n"
    }
}

/// What the policy says of inline text: allowed by its checksum, or nothing at all.
fn allow(directive: &str, inline: &str) -> String {
    match inline {
        "" => format!("{directive} 'none'"),
        inline => {
            let digest = Fingerprint::new().bytes(inline.as_bytes()).digest();
            format!("{directive} 'sha256-{}'", base64(&digest))
        }
    }
}

/// Base 64 with padding, as content policies write checksums.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let all = (0..3).fold(0u32, |all, i| all << 8 | chunk.get(i).map_or(0, |b| u32::from(*b)));
        for digit in 0..4 {
            let six = (all >> (18 - 6 * digit)) & 63;
            let known = digit <= chunk.len();
            let letter = DIGITS.get(six as usize).filter(|_| known).map_or('=', |d| char::from(*d));
            out.push(letter);
        }
    }
    out
}

/// Text that is no markup, whatever it holds, in HTML and in XML, between tags and in attributes. Control characters, which XML
/// forbids, become a mark.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        assert_eq!(escape("<b>&\"'\u{0}\u{ffff}한"), "&lt;b&gt;&amp;&quot;&#39;\u{fffd}\u{fffd}한");
    }

    #[test]
    fn writes_base64_as_the_rfc_does() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn data_never_ends_its_element() {
        let data = serde_json::to_string(&["</script><!--<script>"]).unwrap();
        let page = Page { data: &data, script: "1", ..Page::default() }.render();
        assert_eq!(page.matches("<script").count(), 2, "{page}");
        assert_eq!(page.matches("</script").count(), 2, "{page}");
        let kept = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert_eq!(serde_json::from_str::<[String; 1]>(kept).unwrap(), ["</script><!--<script>"]);
        assert!(page.contains("style-src 'none'"), "{page}");
        // The checksum that a browser computes of `1`.
        assert!(
            page.contains("script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"),
            "{page}"
        );
    }
}
