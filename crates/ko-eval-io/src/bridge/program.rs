//! What is started, and how it is dealt with.

use ko_eval_core::Signature;
use std::{fmt, time::Duration};

/// A program of somebody else with its arguments (no shell is involved), and how it is dealt with: the same for every bridge.
///
/// ```
/// use ko_eval_io::bridge::Program;
///
/// let program = Program::parse("python3 my.py").unwrap().version("3").children(2);
/// assert_eq!(program, Program::new("python3").args(["my.py"]).version("3").children(2));
/// assert_eq!(program.to_string(), "python3 my.py");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
    version: Option<String>,
    pub(super) timeout: Duration,
    pub(super) restarts: usize,
    pub(super) children: usize,
}

impl Program {
    /// A program without arguments, that has ten minutes for a line, is started once more where it failed, and runs once.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            arguments: Vec::new(),
            version: None,
            timeout: Duration::from_secs(600),
            restarts: 1,
            children: 1,
        }
    }

    /// A command split at white space; `None` if there is nothing in it.
    pub fn parse(command: &str) -> Option<Self> {
        let mut words = command.split_whitespace();
        Some(Self::new(words.next()?).args(words))
    }

    /// More arguments.
    #[must_use]
    pub fn args<A: Into<String>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Its version: it goes into signatures, because it decides the answers.
    #[must_use]
    pub fn version(self, version: impl Into<String>) -> Self {
        Self { version: Some(version.into()), ..self }
    }

    /// How long a line of an answer may take, the program's start included.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How often a text is sent again when the program ended or was late.
    #[must_use]
    pub fn restarts(self, restarts: usize) -> Self {
        Self { restarts, ..self }
    }

    /// How many copies may run at once, at least 1.
    #[must_use]
    pub fn children(self, children: usize) -> Self {
        Self { children, ..self }
    }

    /// Adds the command, and the version if it is told, to a signature.
    #[must_use]
    pub fn sign(&self, signature: Signature) -> Signature {
        let signature = signature.with("command", self);
        match &self.version {
            Some(version) => signature.with("version", version),
            None => signature,
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}
