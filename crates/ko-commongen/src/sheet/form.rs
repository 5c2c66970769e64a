//! A sheet as a form: one file that asks, remembers, and writes the filled sheet. It speaks to no server.

use ko_eval_core::{Error, Fingerprint, Result};
use ko_eval_io::html::{Page, escape};
use ko_meta_eval::report::Language;
use serde::Serialize;

const BODY: &str = include_str!("form/form.html");
const SCRIPT: &str = include_str!("form/form.js");
const STYLE: &str = include_str!("form/form.css");

/// What people are asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Rate,
    Write,
}

#[derive(Serialize)]
struct Data<'a> {
    /// The first line of the CSV.
    columns: &'a [&'a str],
    /// Concepts, and the sentence where it is to be rated.
    rows: Vec<(&'a str, Option<&'a str>)>,
    criteria: Vec<Criterion<'a>>,
    /// What answers are remembered under, on the rater's own machine.
    memory: String,
    words: Words<'a>,
}

/// A question of the form.
#[derive(Serialize)]
struct Criterion<'a> {
    name: &'a str,
    title: &'a str,
    question: &'a str,
    /// What 0, 1 and 2 mean.
    answers: [&'a str; 3],
}

#[derive(Serialize)]
struct Words<'a> {
    concepts: &'a str,
    sentence: &'a str,
    done: &'a str,
    page: &'a str,
    half: &'a str,
    nameless: &'a str,
}

/// The page.
pub(super) fn html<'a>(
    rows: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    columns: &[&str],
    kind: Kind,
    language: Language,
) -> Result<String> {
    let say = |english, korean| language.say(english, korean);
    let rows: Vec<(&str, Option<&str>)> = rows.collect();
    let digest = rows.iter().fold(Fingerprint::new(), |digest, (concepts, sentence)| {
        digest.text(concepts).text(sentence.unwrap_or_default())
    });
    let data = Data {
        columns,
        criteria: if kind == Kind::Rate { criteria(language) } else { Vec::new() },
        memory: format!("ko-eval {}", digest.digits(16)),
        rows,
        words: Words {
            concepts: say("Concepts", "개념"),
            sentence: say("Your sentence", "문장"),
            done: say("{0} of {1} done", "{1}개 가운데 {0}개 마침"),
            page: say("page {0} of {1}", "{1}쪽 가운데 {0}쪽"),
            half: say(
                "{0} sentences are only half answered",
                "답을 다 하지 않은 문장이 {0}개 있습니다",
            ),
            nameless: say("Please give your name first", "먼저 이름을 적어 주십시오"),
        },
    };
    let data = serde_json::to_string(&data).map_err(|e| Error::source("writing a form", e))?;
    let (title, task) = match kind {
        Kind::Rate => (
            say("Rating sentences", "문장 평가"),
            say(
                "Every sentence was written for the concepts above it. Please rate each by the four questions, from 0 to 2, without looking things up. \
                 Your answers are remembered on this machine; press the button when you are done, and send the file back.",
                "각 문장은 위에 적힌 개념을 써서 지은 것입니다. 네 가지 물음에 0점부터 2점까지 점수를 주십시오. 자료를 찾아보지 마십시오. \
                 답은 이 컴퓨터에 저장됩니다. 다 마치면 단추를 눌러 받은 파일을 보내 주십시오.",
            ),
        ),
        Kind::Write => (
            say("Writing sentences", "문장 쓰기"),
            say(
                "Please write one sentence for each set of concepts: an everyday scene that makes sense and uses all of them. They may be inflected, and \
                 stand in any order. Your answers are remembered on this machine; press the button when you are done, and send the file back.",
                "개념 집합마다 문장을 하나씩 써 주십시오. 주어진 개념을 모두 쓰고, 상식에 맞는 일상의 장면이어야 합니다. 활용하거나 순서를 바꾸어도 됩니다. \
                 답은 이 컴퓨터에 저장됩니다. 다 마치면 단추를 눌러 받은 파일을 보내 주십시오.",
            ),
        ),
    };
    let words = [
        ("title", title),
        ("task", task),
        ("name", say("Your name", "이름")),
        ("download", say("Save the filled sheet (CSV)", "답안 저장(CSV)")),
        ("back", say("back", "이전")),
        ("next", say("next", "다음")),
        ("open", say("next open one", "남은 것으로")),
    ];
    let body = words.iter().fold(BODY.to_owned(), |body, (name, word)| {
        body.replace(&format!("{{{name}}}"), &escape(word))
    });
    let page = Page {
        title,
        lang: language.code(),
        style: STYLE,
        script: SCRIPT,
        data: &data,
        body: &body,
    };
    Ok(page.render())
}

/// The questions of the paper.
fn criteria(language: Language) -> Vec<Criterion<'static>> {
    let say = |english, korean| language.say(english, korean);
    vec![
        Criterion {
            name: "grammar",
            title: say("Grammar", "문법"),
            question: say("Is it grammatical?", "문법에 맞습니까?"),
            answers: [say("no", "아니다"), say("nearly", "조금 어긋난다"), say("yes", "맞다")],
        },
        Criterion {
            name: "commonsense",
            title: say("Commonsense", "상식"),
            question: say("Does it make sense in everyday life?", "일상의 상식에 맞습니까?"),
            answers: [say("no", "아니다"), say("partly", "조금 이상하다"), say("yes", "맞다")],
        },
        Criterion {
            name: "factuality",
            title: say("Factuality", "사실성"),
            question: say("Are all concepts used, and rightly?", "모든 개념을 바르게 썼습니까?"),
            answers: [say("no", "아니다"), say("some", "일부만"), say("all", "모두")],
        },
        Criterion {
            name: "fluency",
            title: say("Fluency", "유창성"),
            question: say("Does it read well?", "자연스럽게 읽힙니까?"),
            answers: [say("no", "아니다"), say("so-so", "보통이다"), say("yes", "그렇다")],
        },
    ]
}
