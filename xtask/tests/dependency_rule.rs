//! Who may depend on whom: the rule of docs/ARCHITECTURE.md, held against every manifest.

use std::{collections::BTreeSet, fs, path::Path};
use toml::Table;

/// Everything else stands on it.
const CORE: &str = "ko-eval-core";

/// The tests of any crate may use it.
const TESTING: &str = "ko-eval-testing";

/// What a crate uses of this workspace besides [`CORE`], which may be in both lists or in none.
struct Row {
    name: &'static str,
    /// In what it publishes.
    uses: &'static [&'static str],
    /// In its tests, examples and benches only.
    tests_use: &'static [&'static str],
}

/// The whole rule: exactly these.
const RULE: &[Row] = &[
    Row { name: CORE, uses: &[], tests_use: &[] },
    Row { name: TESTING, uses: &[], tests_use: &[] },
    Row { name: "ko-tokenize-dictionary", uses: &[], tests_use: &[] },
    Row { name: "ko-tokenize", uses: &["ko-tokenize-dictionary"], tests_use: &[] },
    Row { name: "ko-ngram-metrics", uses: &[], tests_use: &["ko-tokenize"] },
    Row { name: "ko-meta-eval", uses: &[], tests_use: &["ko-tokenize"] },
    Row { name: "ko-neural", uses: &["ko-tokenize"], tests_use: &[] },
    Row { name: "ko-register", uses: &["ko-tokenize"], tests_use: &[] },
    Row {
        name: "ko-compare",
        uses: &["ko-register"],
        tests_use: &["ko-ngram-metrics", "ko-tokenize"],
    },
    Row { name: "ko-probe", uses: &["ko-meta-eval", "ko-register", "ko-tokenize"], tests_use: &[] },
    Row {
        name: "ko-commongen",
        uses: &["ko-meta-eval", "ko-ngram-metrics", "ko-tokenize"],
        tests_use: &["ko-neural"],
    },
    Row {
        name: "ko-eval",
        uses: &[
            "ko-commongen",
            "ko-compare",
            "ko-meta-eval",
            "ko-neural",
            "ko-ngram-metrics",
            "ko-probe",
            "ko-register",
            "ko-tokenize",
        ],
        tests_use: &[],
    },
    Row { name: "ko-eval-setup", uses: &[], tests_use: &[] },
    Row { name: "ko-eval-datafusion", uses: &["ko-eval"], tests_use: &[] },
    Row { name: "ko-eval-cluster", uses: &["ko-eval-datafusion"], tests_use: &[] },
    Row {
        name: "ko-eval-cli",
        uses: &["ko-eval", "ko-eval-cluster", "ko-eval-datafusion", "ko-eval-setup"],
        tests_use: &[],
    },
    Row { name: "ko-eval-torch", uses: &["ko-eval", "ko-eval-cli"], tests_use: &[] },
];

/// What only some crates may name, because one dependency graph has room for one version of it, or because it is as large as all the rest.
const OWNED: &[(&[&str], &[&str])] = &[
    (&["tch", "torch-sys"], &["ko-neural"]),
    (&["datafusion"], &["ko-eval-datafusion", "ko-eval-cluster"]),
    (
        &["ballista", "ballista-core", "ballista-executor", "ballista-scheduler"],
        &["ko-eval-cluster"],
    ),
    // Arrow comes with DataFusion: of a second version no type would fit.
    (&["arrow", "parquet"], &[]),
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

/// Where a crate's manifest and the rule differ.
fn violations(name: &str, manifest: &Table) -> Vec<String> {
    let Some(row) = RULE.iter().find(|row| row.name == name) else {
        return vec![format!("{name} has no row in RULE")];
    };
    let mut faults = Vec::new();
    for (kinds, expected, verb) in [
        (["dependencies", "build-dependencies"].as_slice(), row.uses, "depend"),
        (&["dev-dependencies"], row.tests_use, "test"),
    ] {
        let all = packages(manifest, kinds);
        let ours: BTreeSet<&str> = all
            .iter()
            .copied()
            .filter(|p| *p != CORE && !(*p == TESTING && verb == "test"))
            .filter(|p| RULE.iter().any(|row| row.name == *p))
            .collect();
        let expected: BTreeSet<&str> = expected.iter().copied().collect();
        let more = ours.difference(&expected);
        faults.extend(more.map(|package| format!("{name} must not {verb} on {package}")));
        let fewer = expected.difference(&ours);
        faults
            .extend(fewer.map(|package| format!("{name} does not {verb} on {package}: mend RULE")));
        for (owned, owners) in OWNED.iter().filter(|(_, owners)| !owners.contains(&name)) {
            let named = all.iter().filter(|package| owned.contains(package));
            let whose = if owners.is_empty() {
                "no crate".into()
            } else {
                format!("only {}", owners.join(" and "))
            };
            faults
                .extend(named.map(|package| format!("{name} names {package}, which {whose} may")));
        }
    }
    faults
}

#[test]
fn every_crate_keeps_the_rule() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut seen = BTreeSet::new();
    for folder in fs::read_dir(crates).unwrap() {
        let manifest: Table =
            fs::read_to_string(folder.unwrap().path().join("Cargo.toml")).unwrap().parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap();
        assert_eq!(violations(name, &manifest), [""; 0]);
        seen.insert(name.to_owned());
    }
    let rows: BTreeSet<String> = RULE.iter().map(|row| row.name.to_owned()).collect();
    assert_eq!(seen, rows, "the crates and the rows of RULE");
}

#[test]
fn a_breach_is_seen() {
    let breaches = |name, manifest: &str| violations(name, &manifest.parse().unwrap()).join("; ");
    let tests = "[dev-dependencies]\nko-tokenize = '0.1'\n";
    let reads = "[dependencies]\nko-tokenize = '0.1'\n";
    assert_eq!(
        breaches("ko-neural", &format!("{reads}ko-probe = {{ workspace = true }}")),
        "ko-neural must not depend on ko-probe"
    );
    assert_eq!(
        breaches(
            "ko-meta-eval",
            &format!(
                "{tests}[dependencies]\nunits = {{ package = 'ko-tokenize', version = '0.1' }}"
            )
        ),
        "ko-meta-eval must not depend on ko-tokenize"
    );
    assert_eq!(
        breaches(
            "ko-neural",
            &format!("{reads}[target.'cfg(unix)'.dev-dependencies]\nko-probe = '0.1'")
        ),
        "ko-neural must not test on ko-probe"
    );
    assert_eq!(
        breaches("ko-meta-eval", ""),
        "ko-meta-eval does not test on ko-tokenize: mend RULE"
    );
    assert_eq!(
        breaches("ko-eval-setup", "[target.'cfg(unix)'.dependencies]\ntch = '0.26'"),
        "ko-eval-setup names tch, which only ko-neural may"
    );
    assert_eq!(
        breaches("ko-eval-setup", "[dependencies]\ndatafusion = '55'\narrow = '59'"),
        "ko-eval-setup names datafusion, which only ko-eval-datafusion and ko-eval-cluster may; ko-eval-setup names arrow, which no crate may"
    );
    assert_eq!(
        breaches("ko-eval-setup", "[dependencies]\nko-eval-testing = {}"),
        "ko-eval-setup must not depend on ko-eval-testing"
    );
    assert_eq!(breaches("ko-eval-setup", "[dev-dependencies]\nko-eval-testing = {}"), "");
    assert_eq!(breaches("ko-meta-eval", &format!("{tests}serde = '1'")), "");
    assert_eq!(breaches("ko-new", ""), "ko-new has no row in RULE");
}
