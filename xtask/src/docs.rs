//! What the written pages say: whether every public type may cross threads, whether every metric and every tokenizer has an
//! example, and whether what the READMEs link to is there. rustdoc writes a page for each type, so no list of types can be
//! incomplete.

use anyhow::{Context, Result, bail};
use std::{fs, path::Path};

/// Pages of types that move between threads but are not shared: each reads a file from its beginning to its end, or
/// drives a browser.
const NOT_SHARED: &[&str] = &[
    "browser/struct.Tab.html",
    "read/struct.Lines.html",
    "conllu/struct.Reader.html",
    "sejong/struct.Reader.html",
    "files/struct.ParquetSegments.html",
];

/// Looks at the pages of all public types of a crate.
pub(crate) fn check(folder: &Path) -> Result<()> {
    let list = folder.join("all.html");
    let list = fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    let mut faults = Vec::new();
    for page in types(&list) {
        let path = folder.join(page);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let traits =
            if NOT_SHARED.contains(&page) { ["Send"].as_slice() } else { &["Send", "Sync"] };
        for name in traits {
            match implements(&text, name) {
                Some(true) => {}
                Some(false) => faults.push(format!("{} is not {name}", path.display())),
                None => bail!("{} does not say whether it is {name}", path.display()),
            }
        }
    }
    if !faults.is_empty() {
        bail!("not every public type may cross threads:\n{}", faults.join("\n"));
    }
    let without: Vec<_> = types(&list).filter(|page| lacks_example(folder, page)).collect();
    if !without.is_empty() {
        bail!(
            "{}: metrics and tokenizers without an example: {}",
            folder.display(),
            without.join(", ")
        );
    }
    Ok(())
}

/// Whether the page of a metric or a tokenizer begins without an example.
fn lacks_example(folder: &Path, page: &str) -> bool {
    let text = fs::read_to_string(folder.join(page)).unwrap_or_default();
    let implements = ["Metric", "Tokenizer"]
        .iter()
        .any(|name| text.contains(&format!("<section id=\"impl-{name}-for-")));
    let about = text.split("id=\"implementations\"").next().unwrap_or_default();
    implements && !about.contains("class=\"example-wrap")
}

/// Refuses a link of a README to a page of ours on docs.rs that was not written.
pub(crate) fn check_links(readme: &Path, pages: &Path) -> Result<()> {
    let text = fs::read_to_string(readme).with_context(|| readme.display().to_string())?;
    for rest in text.split("https://docs.rs/").skip(1) {
        let link = rest.split([')', ' ', '\n', '"', '#', '>']).next().unwrap_or_default();
        let Some((_, page)) = link.split_once("/latest/") else { continue };
        let page = if page.ends_with('/') { format!("{page}index.html") } else { page.to_owned() };
        if !pages.join(&page).exists() {
            bail!("{} links to {page}, which is not there", readme.display());
        }
    }
    Ok(())
}

/// The pages of structs, enums and unions that a list of all items links to.
fn types(list: &str) -> impl Iterator<Item = &str> {
    let links = list.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.filter(|link| {
        let file = link.rsplit('/').next().unwrap_or(link);
        ["struct.", "enum.", "union."].iter().any(|kind| file.starts_with(kind))
    })
}

/// Whether a type's page says that it implements an auto trait; nothing if it does not tell.
fn implements(page: &str, name: &str) -> Option<bool> {
    let (_, claim) = page.split_once(&format!("<section id=\"impl-{name}-for-"))?;
    let (_, claim) = claim.split_once("<h3 class=\"code-header\">")?;
    let (claim, _) = claim.split_once("</h3>")?;
    let words: String = claim
        .split('<')
        .map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text))
        .collect();
    let (before, _) = words.split_once(" for ")?;
    before.contains(name).then(|| !before.contains('!'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(claim: &str) -> String {
        format!(
            "<section id=\"impl-Sync-for-Lines%3CT%3E\" class=\"impl\"><a href=\"#\">§</a>\
             <h3 class=\"code-header\">{claim}<a class=\"trait\" href=\"#\">Sync</a> for <a>Lines</a></h3></section>"
        )
    }

    #[test]
    fn pages_tell_what_is_implemented() {
        assert_eq!(implements(&page("impl "), "Sync"), Some(true));
        assert_eq!(implements(&page("impl&lt;T&gt; "), "Sync"), Some(true));
        assert_eq!(implements(&page("impl !"), "Sync"), Some(false));
        assert_eq!(implements(&page("impl&lt;T&gt; !"), "Sync"), Some(false));
        assert_eq!(implements(&page("impl "), "Send"), None);
    }

    #[test]
    fn types_are_linked() {
        let list = r##"<a href="#structs"></a><a href="struct.A.html">A</a><a href="b/enum.C.html">b::C</a>
            <a href="trait.D.html">D</a><a href="b/fn.struct.html">b::struct</a>"##;
        assert_eq!(types(list).collect::<Vec<_>>(), ["struct.A.html", "b/enum.C.html"]);
    }

    #[test]
    fn a_type_that_stays_on_its_thread_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("all.html", r#"<a href="struct.Lines.html">"#);
        let both = page("impl ") + &page("impl ").replace("Sync", "Send");
        write("struct.Lines.html", &both);
        check(folder.path()).unwrap();
        write(
            "struct.Lines.html",
            &both.replace("impl <a class=\"trait\" href=\"#\">Send", "impl !<a>Send"),
        );
        let error = check(folder.path()).unwrap_err().to_string();
        assert!(error.contains("struct.Lines.html is not Send"), "{error}");
        write("struct.Lines.html", "nothing");
        assert!(check(folder.path()).is_err());
    }

    #[test]
    fn a_metric_without_an_example_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let implementations =
            r#"<h2 id="implementations"></h2><section id="impl-Metric-for-Bleu"></section>"#;
        let example = r#"<div class="example-wrap"></div>"#;
        write("struct.Bleu.html", &format!("{example}{implementations}"));
        assert!(!lacks_example(folder.path(), "struct.Bleu.html"));
        write("struct.Bleu.html", &format!("{implementations}{example}"));
        assert!(lacks_example(folder.path(), "struct.Bleu.html"));
        write("struct.Bleu.html", "a type of another kind");
        assert!(!lacks_example(folder.path(), "struct.Bleu.html"));
    }

    #[test]
    fn a_link_to_nothing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let readme = folder.path().join("README.md");
        fs::write(&readme, "[a](https://docs.rs/a/latest/a/struct.A.html) [b](https://docs.rs/b)")
            .unwrap();
        assert!(check_links(&readme, folder.path()).is_err());
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/struct.A.html"), "").unwrap();
        check_links(&readme, folder.path()).unwrap();
    }
}
