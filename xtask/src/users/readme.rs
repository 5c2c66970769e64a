//! What a README tells its readers to type.

/// An example in Rust.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Example {
    code: String,
    /// Whether it runs as it stands; else it only compiles.
    pub runs: bool,
}

/// The examples in Rust: blocks that rustdoc would test.
pub(super) fn examples(readme: &str) -> Vec<Example> {
    blocks(readme)
        .filter_map(|(kind, code)| {
            let mut words = kind.split(',').map(str::trim).filter(|word| !word.is_empty());
            let is_rust = words.clone().all(|word| ["rust", "no_run"].contains(&word));
            is_rust.then(|| Example { code, runs: !words.any(|word| word == "no_run") })
        })
        .collect()
}

/// The lines of blocks of shell commands, those that are continued joined.
pub(super) fn commands(readme: &str) -> Vec<String> {
    let shell =
        blocks(readme).filter(|(kind, _)| ["sh", "bash", "console"].contains(&kind.as_str()));
    shell
        .flat_map(|(_, code)| {
            code.replace("\\\n", " ").lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

/// Fenced blocks: what stands behind the fence, and the text.
fn blocks(readme: &str) -> impl Iterator<Item = (String, String)> {
    let mut lines = readme.lines();
    std::iter::from_fn(move || {
        let kind = lines.find_map(|line| line.trim_start().strip_prefix("```"))?;
        let code = lines.by_ref().take_while(|line| line.trim() != "```");
        Some((kind.trim().to_owned(), code.map(|line| format!("{line}\n")).collect()))
    })
}

impl Example {
    /// The example as a whole program, as rustdoc makes one of it.
    pub(super) fn program(&self) -> String {
        let shown = |line: &str| match line.strip_prefix('#') {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest.trim_start().to_owned(),
            _ => line.to_owned(),
        };
        let code: String = self.code.lines().map(|line| shown(line) + "\n").collect();
        if code.contains("fn main()") {
            return code;
        }
        let code = if code.contains("Ok::<") {
            code
        } else {
            code + "Ok::<(), std::convert::Infallible>(())\n"
        };
        format!(
            "fn main() -> Result<(), Box<dyn std::error::Error>> {{\n(|| {{\n{code}}})()?;\nOk(())\n}}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str = "\
# A crate
```
use a::B;
# let hidden = 1;
# Ok::<(), a::Error>(())
```
```toml
a = 1
```
```rust,no_run
fn main() {}
```
```sh
ko-eval score \\
  --hyp a
ko-eval units
```
";

    #[test]
    fn examples_become_programs() {
        let examples = examples(README);
        assert_eq!(examples.iter().map(|example| example.runs).collect::<Vec<_>>(), [true, false]);
        let first = examples[0].program();
        assert!(first.contains("let hidden = 1;") && !first.contains("# "), "{first}");
        assert!(
            first.starts_with("fn main()") && first.contains("Ok::<(), a::Error>(())"),
            "{first}"
        );
        assert_eq!(examples[1].program(), "fn main() {}\n");
    }

    #[test]
    fn commands_are_joined_where_they_go_on() {
        assert_eq!(commands(README), ["ko-eval score    --hyp a", "ko-eval units"]);
    }
}
