//! Units by any program of your own: one line of text in, one line of units out.
//!
//! `bridge:COMMAND` starts the command once and keeps it. It is for analyzers that this crate does not have; no code is needed
//! but a loop in the language of the analyzer:
//!
//! ```text
//! import sys
//! for line in sys.stdin:                       # bridge:python3 my.py
//!     print("\t".join(cut(line.strip())), flush=True)
//! ```
//!
//! # The protocol
//!
//! UTF-8; one text per line in, one answer per line out, **flushed**. An answer is units with a tab between them, or with
//! `form=tagged` units as `morpheme/TAG`, of which the last slash counts: `//SP` is a slash. Empty units are left out.
//! - A line cannot hold a tab or a line break: each of `\t`, `\n`, `\r` in a text is sent as a space. A text of nothing but
//!   white space has no units and is not sent.
//! - A program that ends, or does not answer in time, is started again, and the text is sent once more (`restarts` times; then
//!   it is an error). The one that was late is killed, so its answer is never taken for another text's.
//! - An answer that is not UTF-8, has no slash where tags are asked for, or is followed by another line, is an error
//!   that shows it; that program is killed too. What follows an answer by itself later is found with the next text.
//! - Errors show what the program wrote to standard error. A program that writes without end is stopped at 64 MiB of one
//!   line, and at the second line of an answer; nothing is read ahead.
//! - The program is killed with the bridge, but not what it started itself: that should end when its input does.
//!
//! # The command
//!
//! It is split at white space, and no shell is involved. In the little language of units `,` and `=` separate parameters;
//! a command that needs either, or quotes, goes into a script, or to [`Bridge::builder`].
//!
//! Threads share the programs: at most `children` run at once (1 unless set), and who finds all of them busy waits. They
//! are killed when the bridge is dropped.
//!
//! # Spans
//!
//! The answer does not say where units were found. Each is looked for in the text from where the last one ended, in that
//! word and the next; what is not there (a restored morpheme) gets what lies between the units around it that are, or shares
//! the place of one of them where nothing lies between. So spans are in order and within the text, but where a unit occurs
//! by chance they may be off.
//!
//! ```
//! # #[cfg(unix)] {
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::Bridge;
//!
//! // `tr` holds its output back when nobody looks, so the loop answers line by line.
//! let script = r#"while read -r line; do echo "$line" | tr ' ' '\t'; done"#;
//! let bridge = Bridge::builder("sh").args(["-c", script]).build()?;
//! let units = bridge.tokenize("비가 온다")?;
//! assert_eq!(units[1], "온다");
//! assert_eq!(units[1].span(), 7..13);
//! # }
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

mod answer;

pub use ko_eval_io::bridge::BridgeError;

use crate::{
    Build, Morpheme, MorphemeAnalyzer, Normalization, UnitEntry, align, level::LEVEL, normalize,
};
use answer::Unit;
use ko_eval_core::{
    Error, Params, Result, Signature, Signed, Token, Tokenizer,
    setting::{Argument, Choice, Number, Text, Whole},
};
use ko_eval_io::bridge::{Pool, Program, line};
use std::{sync::Arc, time::Duration};

const NAME: &str = "bridge";

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: NAME,
    summary: "units from a program of your own: a line of text in, a line of units out",
    argument: Some(Argument::program("COMMAND")),
    params: &[
        FORM.param(),
        VERSION.param(),
        TIMEOUT.param(),
        RESTARTS.param(),
        CHILDREN.param(),
        LEVEL.param(),
        normalize::NORM.param(),
        normalize::WHITE_SPACE.param(),
    ],
    build: Build::Either {
        tokenizer: |params| Ok(Arc::new(build(params, AnswerForm::Tokens)?)),
        analyzer: |params| Ok(Arc::new(build(params, AnswerForm::Tagged)?)),
    },
    not_compared: None,
};

fn build(params: &Params, form: AnswerForm) -> Result<Bridge> {
    let command = params.argument().unwrap_or_default();
    let Some(program) = Program::parse(command) else {
        return Err(Error::invalid(NAME, "COMMAND", command, "a command, as in bridge:COMMAND"));
    };
    let mut program = program
        .timeout(Duration::from_secs_f64(params.read(&TIMEOUT)?))
        .restarts(params.read(&RESTARTS)?)
        .children(params.read(&CHILDREN)?);
    if let Some(version) = params.read(&VERSION)? {
        program = program.version(version);
    }
    let form = if params.get("form").is_some() { params.read(&FORM)? } else { form };
    BridgeBuilder { program, form, norm: Normalization::read(params)? }.build()
}

const FORM: Choice<AnswerForm> = Choice::new(
    "form",
    &[("tokens", AnswerForm::Tokens), ("tagged", AnswerForm::Tagged)],
    "what the program writes between tabs: tokens, or tagged (morpheme/TAG)",
);
const VERSION: Text =
    Text::new("version", "a text", "none", "the program's version, for the signature");
/// An analyzer may load its models before the first answer.
const TIMEOUT: Number = Number::new("timeout", 60.0, 0.0, 1e9, "seconds to wait for an answer");
const RESTARTS: Whole =
    Whole::new("restarts", 1, 0, 1000, "how often a text is sent again after the program failed");
const CHILDREN: Whole =
    Whole::new("children", 1, 1, 1024, "how many copies of the program run at once");

/// What the program writes between tabs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum AnswerForm {
    /// Units.
    #[default]
    Tokens,
    /// Units with a tag: `morpheme/TAG`. The tag is no part of the unit.
    Tagged,
}

/// Cuts by another program.
///
/// ```no_run
/// use ko_tokenize::prelude::*;
///
/// let units = Bridge::builder("python3").args(["my.py"]).build()?.tokenize("밥을 먹자.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["밥", "을", "먹", "자", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Bridge {
    pool: Pool,
    form: AnswerForm,
    norm: Normalization,
}

/// Settings of a [`Bridge`].
#[derive(Debug, Clone)]
pub struct BridgeBuilder {
    program: Program,
    form: AnswerForm,
    norm: Normalization,
}

impl Bridge {
    /// A bridge to a program; arguments and settings follow.
    pub fn builder(program: impl Into<String>) -> BridgeBuilder {
        BridgeBuilder {
            program: Program::new(program).timeout(Duration::from_secs_f64(TIMEOUT.default)),
            form: AnswerForm::default(),
            norm: Normalization::default(),
        }
    }

    /// What the program says to a normalised text.
    fn ask(&self, text: &str) -> Result<Vec<Unit>> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        let line = line(text);
        let talk = |child: &mut ko_eval_io::bridge::Child| {
            let answer = child.ask(&line)?;
            answer::units(&answer, self.form).map_err(|reason| child.nonsense(&answer, reason))
        };
        Ok(self.pool.talk_again(talk).map_err(crate::Error::from)?)
    }
}

impl Signed for Bridge {
    fn signature(&self) -> Signature {
        let mut signature = self.pool.program().sign(Signature::new(NAME));
        if self.form == AnswerForm::Tagged {
            signature = signature.with("form", "tagged");
        }
        self.norm.sign(signature)
    }
}

impl Tokenizer for Bridge {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| {
            let units = self.ask(text)?;
            let spans = align::in_text(text, units.iter().map(|unit| unit.form.as_str()));
            Ok(units
                .into_iter()
                .zip(spans)
                .map(|(unit, span)| Token::new(unit.form, span))
                .collect())
        })
    }
}

impl MorphemeAnalyzer for Bridge {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        if self.form == AnswerForm::Tokens {
            return Err(Error::invalid(
                NAME,
                "form",
                "tokens",
                "`tagged`, where tags are asked for",
            ));
        }
        self.norm.analyze(text, |text| {
            let units = self.ask(text)?;
            let spans = align::in_text(text, units.iter().map(|unit| unit.form.as_str()));
            let morpheme = |(unit, span): (Unit, _)| Morpheme {
                form: unit.form.into(),
                tag: unit.tag.into(),
                span,
            };
            Ok(units.into_iter().zip(spans).map(morpheme).collect())
        })
    }
}

impl BridgeBuilder {
    /// More arguments of the program.
    #[must_use]
    pub fn args<A: Into<String>>(self, arguments: impl IntoIterator<Item = A>) -> Self {
        Self { program: self.program.args(arguments), ..self }
    }

    /// What it writes.
    #[must_use]
    pub fn form(self, form: AnswerForm) -> Self {
        Self { form, ..self }
    }

    /// Its version: it goes into the signature, because it decides the units.
    #[must_use]
    pub fn version(self, version: impl Into<String>) -> Self {
        Self { program: self.program.version(version), ..self }
    }

    /// How long an answer may take, the program's start included.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { program: self.program.timeout(timeout), ..self }
    }

    /// How often a text is sent again when the program ended or was late.
    #[must_use]
    pub fn restarts(self, restarts: usize) -> Self {
        Self { program: self.program.restarts(restarts), ..self }
    }

    /// How many programs may run at once, at least 1.
    #[must_use]
    pub fn children(self, children: usize) -> Self {
        Self { program: self.program.children(children), ..self }
    }

    /// Another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }

    /// Starts the program.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn build(self) -> Result<Bridge> {
        let Self { program, form, norm } = self;
        let pool = Pool::new(program).map_err(crate::Error::from)?;
        Ok(Bridge { pool, form, norm })
    }
}
