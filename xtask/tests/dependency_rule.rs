//! Who may depend on whom: the rule of docs/ARCHITECTURE.md, held against every manifest.

use std::{fs, path::Path};
use toml::Table;

/// Everything else stands on it.
const CORE: &str = "ko-eval-core";

/// What each crate may use of this workspace besides [`CORE`].
const MAY_USE: &[(&str, &[&str])] = &[
    (CORE, &[]),
    ("ko-tokenize", &[]),
    ("ko-ngram-metrics", &[]),
    ("ko-meta-eval", &[]),
    ("ko-neural", &[]),
    ("ko-probe", &["ko-tokenize", "ko-meta-eval"]),
    ("ko-commongen", &["ko-tokenize", "ko-meta-eval", "ko-ngram-metrics"]),
    (
        "ko-eval",
        &[
            "ko-tokenize",
            "ko-ngram-metrics",
            "ko-meta-eval",
            "ko-neural",
            "ko-probe",
            "ko-commongen",
        ],
    ),
    ("ko-eval-cli", &["ko-eval"]),
];

/// The packages that a manifest names in tables of these kinds, those for one platform included.
fn packages<'m>(manifest: &'m Table, kinds: &[&str]) -> Vec<&'m str> {
    let platforms = manifest.get("target").and_then(|targets| targets.as_table());
    let platforms = platforms.into_iter().flat_map(|targets| targets.values());
    let tables = platforms.filter_map(|platform| platform.as_table()).chain([manifest]);
    let dependencies = tables.flat_map(|table| kinds.iter().filter_map(|kind| table.get(*kind)));
    dependencies
        .filter_map(|dependencies| dependencies.as_table())
        .flatten()
        .map(|(key, value)| value.get("package").and_then(|name| name.as_str()).unwrap_or(key))
        .collect()
}

/// What a crate's manifest does that the rule forbids.
fn violations(name: &str, manifest: &Table) -> Vec<String> {
    let Some((_, may_use)) = MAY_USE.iter().find(|(row, _)| *row == name) else {
        return vec![format!("{name} has no row in MAY_USE")];
    };
    let ours = |package: &&str| MAY_USE.iter().any(|(row, _)| row == package);
    let allowed = |package: &str| package == CORE || may_use.contains(&package);
    let strangers = packages(manifest, &["dependencies", "build-dependencies"])
        .into_iter()
        .filter(|package| ours(package) && !allowed(package))
        .map(|package| format!("{name} must not depend on {package}"));
    let torch = packages(manifest, &["dependencies", "build-dependencies", "dev-dependencies"])
        .into_iter()
        .filter(|package| ["tch", "torch-sys"].contains(package) && name != "ko-neural")
        .map(|package| format!("{name} names {package}, which only ko-neural may"));
    strangers.chain(torch).collect()
}

#[test]
fn every_crate_keeps_the_rule() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut seen = 0;
    for folder in fs::read_dir(crates).unwrap() {
        let manifest: Table =
            fs::read_to_string(folder.unwrap().path().join("Cargo.toml")).unwrap().parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap();
        assert_eq!(violations(name, &manifest), [""; 0]);
        seen += 1;
    }
    assert!(seen >= 3, "only {seen} crates found");
}

#[test]
fn a_breach_is_seen() {
    let breaches = |name, manifest: &str| violations(name, &manifest.parse().unwrap()).join("; ");
    assert_eq!(
        breaches("ko-ngram-metrics", "[dependencies]\nko-tokenize = { workspace = true }"),
        "ko-ngram-metrics must not depend on ko-tokenize"
    );
    assert_eq!(
        breaches(
            "ko-meta-eval",
            "[dependencies]\nunits = { package = 'ko-tokenize', version = '0.1' }"
        ),
        "ko-meta-eval must not depend on ko-tokenize"
    );
    assert_eq!(
        breaches("ko-probe", "[target.'cfg(unix)'.dependencies]\ntch = '0.26'"),
        "ko-probe names tch, which only ko-neural may"
    );
    assert_eq!(breaches("ko-probe", "[dependencies]\nko-tokenize = '0.1'\nserde = '1'"), "");
    assert_eq!(breaches("ko-new", ""), "ko-new has no row in MAY_USE");
}
