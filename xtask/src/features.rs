//! Every package alone: without features, with its default ones, with each of the others.
//!
//! A build of the workspace unifies the features of all its packages, so it compiles none of these.
//!
//! Left out is what would compile an engine as large as all the rest once more for each combination: packages and features that their manifest names so
//! (`[package.metadata.ko-eval]`, `engine` and `engine-features`). The workspace's own tests and lints compile them once.

use anyhow::{Context, Result};
use serde_json::Value;
use std::process::Command;

/// A package of the workspace.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Package {
    name: String,
    /// Whether it holds more than a program: something to test.
    has_library: bool,
    /// Whether it has default features.
    has_defaults: bool,
    /// All features but `default`, and but those that bring an engine.
    features: Vec<String>,
    /// Whether the package is nothing without an engine.
    is_engine: bool,
}

/// The packages, as `cargo metadata --no-deps` lists them.
pub(crate) fn packages(metadata: &str) -> Result<Vec<Package>> {
    let metadata: Value = serde_json::from_str(metadata).context("cargo metadata")?;
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    packages
        .iter()
        .map(|package| {
            let name = package["name"].as_str().context("a package without a name")?.to_owned();
            let features = package["features"].as_object().context("a package without features")?;
            let mut targets = package["targets"].as_array().into_iter().flatten();
            let declared = &package["metadata"]["ko-eval"];
            let engines = declared["engine-features"].as_array().cloned().unwrap_or_default();
            Ok(Package {
                name,
                is_engine: declared["engine"].as_bool().unwrap_or_default(),
                has_library: targets.any(|target| target["kind"][0] == "lib"),
                has_defaults: features
                    .get("default")
                    .and_then(Value::as_array)
                    .is_some_and(|defaults| !defaults.is_empty()),
                features: features
                    .keys()
                    .filter(|name| {
                        *name != "default" && !engines.contains(&Value::from(name.as_str()))
                    })
                    .cloned()
                    .collect(),
            })
        })
        .collect()
}

impl Package {
    /// The arguments that choose the package and its features: none, the default ones, each alone.
    pub(crate) fn combinations(&self) -> Vec<Vec<&str>> {
        if self.is_engine {
            return Vec::new();
        }
        let alone = |feature: &'static str| vec!["--package", self.name.as_str(), feature];
        let none = alone("--no-default-features");
        let defaults = self.has_defaults.then(|| vec!["--package", self.name.as_str()]);
        let each = self
            .features
            .iter()
            .map(|feature| [none.as_slice(), &["--features", feature.as_str()]].concat());
        [none.clone()].into_iter().chain(defaults).chain(each).collect()
    }

    /// The arguments for those combinations whose tests run: none and the default ones, if it has features and a library at all. The
    /// tests of the workspace run with most of the others.
    pub(crate) fn tested(&self) -> Vec<Vec<&str>> {
        let has_tests = self.has_library && !self.features.is_empty();
        let combinations = if has_tests { self.combinations() } else { Vec::new() };
        combinations.into_iter().filter(|arguments| !arguments.contains(&"--features")).collect()
    }
}

/// Runs clippy over every combination and, unless it is only to lint, the tests of some, with `cargo` as it makes commands and `run` as it runs them.
pub(crate) fn check(
    lint_only: bool,
    cargo: impl Fn() -> Command,
    run: impl Fn(&mut Command) -> Result<()>,
) -> Result<()> {
    let metadata = cargo()
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .context("starting cargo metadata")?;
    let packages = packages(&String::from_utf8_lossy(&metadata.stdout))?;
    for arguments in packages.iter().flat_map(Package::combinations) {
        let clippy = ["clippy", "--quiet", "--all-targets"];
        run(cargo().args(clippy).args(arguments).args(["--", "-D", "warnings"]))?;
    }
    for arguments in packages.iter().filter(|_| !lint_only).flat_map(Package::tested) {
        run(cargo().args(["test", "--quiet"]).args(arguments))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_from_the_manifests() {
        let metadata = r#"{"packages": [
            {"name": "plain", "features": {}, "targets": [{"kind": ["lib"]}]},
            {"name": "rich", "features": {"a": [], "b": ["a"], "sql": [], "default": ["a"]}, "targets": [{"kind": ["lib"]}],
             "metadata": {"ko-eval": {"engine-features": ["sql"]}}},
            {"name": "program", "features": {"a": []}, "targets": [{"kind": ["bin"]}]},
            {"name": "engine", "features": {"a": []}, "targets": [{"kind": ["lib"]}], "metadata": {"ko-eval": {"engine": true}}}
        ]}"#;
        let found = packages(metadata).unwrap();
        let lines = |of: fn(&Package) -> Vec<Vec<&str>>| -> Vec<String> {
            found.iter().flat_map(of).map(|arguments| arguments.join(" ")).collect()
        };
        assert_eq!(
            lines(Package::combinations),
            [
                "--package plain --no-default-features",
                "--package rich --no-default-features",
                "--package rich",
                "--package rich --no-default-features --features a",
                "--package rich --no-default-features --features b",
                "--package program --no-default-features",
                "--package program --no-default-features --features a",
            ]
        );
        assert_eq!(
            lines(Package::tested),
            ["--package rich --no-default-features", "--package rich"]
        );
        assert!(packages("{}").is_err());
    }
}
