//! Explanations as a page in one file, without a script.

use super::view::{Explained, Group, MarkedText, figure, meaning};
use ko_eval::{
    Segment,
    explain::{Part, Role, UnitRole},
    html::{Page, escape},
};
use std::fmt::Write;

/// How many links of one kind are shown unless all are asked for.
const MOST_ITEMS: usize = 60;

const STYLE: &str = include_str!("page.css");

pub(super) fn write(all: &[Explained<'_>], segment: &Segment<'_>, list_all: bool) -> String {
    let mut body = String::from("<main><h1>ko-eval explain</h1><dl class=\"texts\">");
    let mut text = |name: &str, text: &str| {
        let _ = write!(body, "<dt>{}</dt><dd lang=\"ko\">{}</dd>", escape(name), escape(text));
    };
    text("Hypothesis", segment.hypothesis());
    for (number, reference) in (1..).zip(segment.references()) {
        text(&format!("Reference {number}"), reference);
    }
    if let Some(source) = segment.source() {
        text("Source", source);
    }
    body.push_str("</dl>");
    legend(&mut body);
    for explained in all {
        metric(&mut body, explained, list_all);
    }
    body.push_str("</main>");
    Page { title: "ko-eval explain", lang: "en", style: STYLE, body: &body, ..Page::default() }
        .render()
}

fn legend(body: &mut String) {
    body.push_str("<p class=\"legend\">");
    for role in [
        Role::Same,
        Role::Alike,
        Role::Moved,
        Role::Changed,
        Role::Only,
        Role::Clipped,
        Role::Noted,
    ] {
        let _ = write!(body, "<span class=\"{}\">{}</span> ", class(role), meaning(role));
    }
    body.push_str("</p>");
}

fn metric(body: &mut String, explained: &Explained<'_>, list_all: bool) {
    let explanation = explained.explanation;
    let unit = explained.unit.map(|unit| format!(" · {unit}")).unwrap_or_default();
    let _ = write!(
        body,
        "<section><h2>{}{} <output>{}</output></h2><p class=\"signature\">{}</p>",
        escape(explained.metric),
        escape(&unit),
        figure(explanation.score.value),
        escape(&explanation.signature.to_string()),
    );
    for layer in &explanation.layers {
        if explanation.layers.len() > 1 {
            let _ = write!(body, "<h3>{}</h3>", escape(&layer.name));
        }
        for text in explained.marked(layer) {
            marked(body, &text);
        }
        body.push_str("<dl class=\"links\">");
        for group in explained.groups(layer) {
            links(body, &group, list_all);
        }
        body.push_str("</dl>");
    }
    parts(body, &explanation.parts);
    body.push_str("</section>");
}

/// A text with its characters in the colours of their roles, a stretch of one role in one element.
fn marked(body: &mut String, text: &MarkedText) {
    let _ = write!(body, "<p class=\"marked\"><b>{}</b> <span lang=\"ko\">", escape(&text.name));
    let look = |role: &UnitRole| (role.role, fifth(role));
    for run in text.characters.chunk_by(|(_, a), (_, b)| look(a) == look(b)) {
        let letters: String = run.iter().map(|(c, _)| *c).collect();
        let Some((_, role)) = run.first() else { continue };
        if role.role == Role::Plain {
            body.push_str(&escape(&letters));
            continue;
        }
        let _ = write!(
            body,
            "<mark class=\"{} s{}\" title=\"{}\">{}</mark>",
            class(role.role),
            fifth(role),
            meaning(role.role),
            escape(&letters),
        );
    }
    body.push_str("</span></p>");
}

/// How strongly, from 1 to 5.
fn fifth(role: &UnitRole) -> u8 {
    (role.strength * 5.0).ceil().clamp(1.0, 5.0) as u8
}

fn links(body: &mut String, group: &Group, list_all: bool) {
    let count = group.items.len();
    let most = if list_all { count } else { MOST_ITEMS };
    let _ =
        write!(body, "<dt>{} <small>{count}</small></dt><dd lang=\"ko\">", escape(&group.name()));
    for item in group.items.iter().take(most) {
        let _ = write!(body, "<span>{}</span> ", escape(item));
    }
    if count > most {
        let _ = write!(body, "… {} more", count - most);
    }
    body.push_str("</dd>");
}

fn parts(body: &mut String, parts: &[Part]) {
    body.push_str(
        "<table><thead><tr><th>part</th><th>value</th><th>made of</th></tr></thead><tbody>",
    );
    for part in parts {
        let _ = write!(
            body,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>",
            escape(&part.name),
            figure(part.value),
            escape(&part.formula.to_string()),
        );
    }
    body.push_str("</tbody></table>");
}

fn class(role: Role) -> &'static str {
    match role {
        Role::Same => "same",
        Role::Alike => "alike",
        Role::Moved => "moved",
        Role::Changed => "changed",
        Role::Only => "only",
        Role::Clipped => "clipped",
        Role::Noted => "noted",
        _ => "plain",
    }
}
