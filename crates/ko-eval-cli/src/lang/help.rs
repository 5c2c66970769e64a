//! Help in the language that was chosen: clap's, text by text.

use super::{is_korean, ko};
use clap::{Command, builder::StyledStr};

/// The command with its help translated; what has no translation stays as it is.
pub(crate) fn translated(mut command: Command) -> Command {
    if !is_korean() {
        return command;
    }
    // clap adds help and version only here, and they are to be translated too.
    command.build();
    in_korean(command)
}

fn in_korean(mut command: Command) -> Command {
    if let Some(about) = command.get_about().map(ToString::to_string) {
        command = command.about(korean(about));
    }
    let headed = command.mut_args(|arg| {
        let heading = if arg.is_positional() { "인자" } else { "옵션" };
        let text = |text: Option<&StyledStr>| text.map(|text| korean(text.to_string()));
        let (short, long) = (text(arg.get_help()), text(arg.get_long_help()));
        let mut arg = arg.help_heading(heading);
        if let Some(short) = short {
            arg = arg.help(short);
        }
        match long {
            Some(long) => arg.long_help(long),
            None => arg,
        }
    });
    headed
        .subcommand_help_heading("명령")
        .help_template("{about-with-newline}\n사용법: {usage}\n\n{all-args}{after-help}")
        .mut_subcommands(in_korean)
}

fn korean(english: String) -> String {
    let known = ko::HELP.iter().find(|(en, _)| *en == english);
    known.map_or(english, |(_, korean)| (*korean).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All help texts of a command and its subcommands.
    fn texts(command: &Command) -> Vec<String> {
        let mut all: Vec<String> = command
            .get_arguments()
            .flat_map(|arg| [arg.get_help(), arg.get_long_help()])
            .flatten()
            .map(ToString::to_string)
            .chain(command.get_about().map(ToString::to_string))
            .collect();
        all.extend(command.get_subcommands().flat_map(texts));
        all
    }

    #[test]
    fn every_translation_is_of_a_text_that_is_there() {
        let mut command = crate::cli::in_english();
        command.build();
        let texts = texts(&command);
        let stale: Vec<_> =
            ko::HELP.iter().filter(|(en, _)| !texts.iter().any(|text| text == en)).collect();
        assert!(stale.is_empty(), "{stale:#?}");
    }

    #[test]
    fn the_main_commands_are_translated() {
        let mut command = crate::cli::in_english();
        command.build();
        for name in ["score", "tokenize", "tone"] {
            for text in texts(command.find_subcommand(name).unwrap()) {
                let is_known = ko::HELP.iter().any(|(en, _)| *en == text);
                assert!(
                    is_known || UNTRANSLATED.iter().any(|start| text.starts_with(start)),
                    "{text}"
                );
            }
        }
    }

    /// Options that few need.
    const UNTRANSLATED: &[&str] = &[
        "Compare with gold morphemes",
        "What must be equal beside the form",
        "How many wrong sentences",
        "The analyzer: mecab",
        "How the answers are written",
    ];
}
