//! The written pages: rustdoc without warnings, every public type `Send + Sync`, an example on the page of every metric
//! and tokenizer, and no dead link from a README. rustdoc writes a page for each type, so no list can be incomplete.

use crate::{
    Result,
    run::{cargo, libtorch, root, run, target},
};
use std::{env, fs, path::Path};

/// Pages of types that move between threads but are not shared: each reads a file from its beginning to its end, or
/// drives a browser.
const NOT_SHARED: &[&str] = &[
    "browser/struct.Tab.html",
    "read/struct.Lines.html",
    "conllu/struct.Reader.html",
    "sejong/struct.Reader.html",
    "files/struct.ParquetSegments.html",
];

pub(crate) fn verb() -> Result<()> {
    let mut flags = env::var_os("RUSTDOCFLAGS").unwrap_or_default();
    flags.push(" -D warnings");
    let doc = ["doc", "--locked", "--workspace", "--all-features", "--no-deps"];
    run(cargo(doc).env("RUSTDOCFLAGS", flags).envs(libtorch()?))?;
    let pages = target().join("doc");
    for folder in fs::read_dir(root().join("crates"))? {
        let folder = folder?;
        if folder.path().join("src/lib.rs").exists() {
            check(&pages.join(folder.file_name().to_string_lossy().replace('-', "_")))?;
        }
        check_links(&folder.path().join("README.md"), &pages)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Checks the pages of all public types of a crate.
fn check(folder: &Path) -> Result<()> {
    let mut faults = Vec::new();
    for page in types(&read(&folder.join("all.html"))?) {
        let text = read(&folder.join(page))?;
        let name = folder.join(page).display().to_string();
        let traits = if NOT_SHARED.contains(&page) { &["Send"][..] } else { &["Send", "Sync"] };
        let missing = traits.iter().filter(|auto| !implements(&text, auto));
        faults.extend(missing.map(|auto| format!("{name} does not say that it is {auto}")));
        if lacks_example(&text) {
            faults.push(format!("{name} is a metric or a tokenizer without an example"));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// Whether the page of a metric or a tokenizer begins without an example.
fn lacks_example(page: &str) -> bool {
    let (about, implementations) = page.split_once("id=\"implementations\"").unwrap_or((page, ""));
    let is_one = |name: &&str| implementations.contains(&format!("<section id=\"impl-{name}-for-"));
    ["Metric", "Tokenizer"].iter().any(is_one) && !about.contains("class=\"example-wrap")
}

/// Refuses a link of a README to a page of ours on docs.rs that was not written.
fn check_links(readme: &Path, pages: &Path) -> Result<()> {
    let Ok(text) = fs::read_to_string(readme) else { return Ok(()) };
    for rest in text.split("https://docs.rs/").skip(1) {
        let link = rest.split([')', ' ', '\n', '"', '#', '>']).next().unwrap_or_default();
        let Some((_, page)) = link.split_once("/latest/") else { continue };
        let page = if page.ends_with('/') { format!("{page}index.html") } else { page.to_owned() };
        if !pages.join(&page).exists() {
            return Err(format!("{}: dead link to {page}", readme.display()).into());
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

/// Returns whether a type's page says `impl Send` and not `impl !Send`.
fn implements(page: &str, name: &str) -> bool {
    let claim = page.split_once(&format!("<section id=\"impl-{name}-for-"));
    let claim = claim.and_then(|(_, rest)| rest.split_once("</h3>"));
    claim.is_some_and(|(claim, _)| !claim.contains("!<a class=\"trait\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_tell_what_is_implemented() {
        let page = |claim: &str| {
            format!(
                "<section id=\"impl-Sync-for-Lines%3CT%3E\" class=\"impl\"><a href=\"#\">§</a>\
                 <h3 class=\"code-header\">{claim}<a class=\"trait\" href=\"#\">Sync</a> for Lines</h3>"
            )
        };
        assert!(implements(&page("impl&lt;T&gt; "), "Sync"));
        assert!(!implements(&page("impl&lt;T&gt; !"), "Sync"));
        assert!(!implements(&page("impl "), "Send"));
    }

    #[test]
    fn types_are_linked() {
        let list = r##"<a href="#structs"></a><a href="struct.A.html">A</a><a href="b/enum.C.html">b::C</a>
            <a href="trait.D.html">D</a><a href="b/fn.struct.html">b::struct</a>"##;
        assert_eq!(types(list).collect::<Vec<_>>(), ["struct.A.html", "b/enum.C.html"]);
    }

    #[test]
    fn a_metric_without_an_example_is_found() {
        let implemented = r#"<h2 id="implementations"></h2><section id="impl-Metric-for-Bleu">"#;
        let example = r#"<div class="example-wrap"></div>"#;
        assert!(!lacks_example(&format!("{example}{implemented}")));
        assert!(lacks_example(&format!("{implemented}{example}")));
        assert!(!lacks_example("a type of another kind"));
    }
}
