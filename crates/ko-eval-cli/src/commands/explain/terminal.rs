//! Explanations for the terminal: marks under the texts, so that nothing is lost where there are no colours.

use super::view::{Explained, Group, MarkedText, figure, meaning};
use ko_eval::explain::{Part, Role, UnitRole};
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many lines of one kind of links are shown unless all are asked for.
const MOST_LINES: usize = 3;
/// The columns before a text.
const INDENT: usize = 8;

/// All of it.
pub(super) fn write(all: &[Explained<'_>], width: usize, colored: bool, list_all: bool) -> String {
    let mut out = Terminal { text: String::new(), width, colored, used: Vec::new() };
    for (number, explained) in all.iter().enumerate() {
        if number > 0 {
            out.line("");
        }
        out.metric(explained, list_all);
    }
    out.legend();
    out.text
}

struct Terminal {
    text: String,
    width: usize,
    colored: bool,
    /// The marks that were shown.
    used: Vec<(char, Role)>,
}

impl Terminal {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn bold(&self, text: &str) -> String {
        if self.colored { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn metric(&mut self, explained: &Explained<'_>, list_all: bool) {
        let explanation = explained.explanation;
        let unit = explained.unit.map(|unit| format!(" · {unit}")).unwrap_or_default();
        let score = figure(explanation.score.value);
        let room = self.width.saturating_sub(score.width() + 2);
        let name = shortened(&format!("{}{unit}", explained.metric), room);
        let gap = self.width.saturating_sub(name.width() + score.width()).max(2);
        let head = format!("{}{}{}", self.bold(&name), " ".repeat(gap), self.bold(&score));
        self.line(&head);
        self.line(&"─".repeat(self.width));
        for flag in &explanation.score.flags {
            let word = serde_json::to_value(flag).ok();
            let word = word.as_ref().and_then(|word| word.as_str()).unwrap_or_default();
            self.line(&format!("flag: {word}"));
        }
        for layer in &explanation.layers {
            if explanation.layers.len() > 1 {
                let name = self.bold(&layer.name);
                self.line(&name);
            }
            for text in explained.marked(layer) {
                self.marked(&text);
            }
            for group in explained.groups(layer) {
                self.group(&group, list_all);
            }
        }
        self.parts(&explanation.parts);
    }

    /// A text, and under each line of it the marks.
    fn marked(&mut self, text: &MarkedText) {
        let room = self.width.saturating_sub(INDENT);
        let mut rest = text.characters.as_slice();
        let mut name = text.name.as_str();
        loop {
            let mut used = 0;
            let fits = |(c, _): &&(char, UnitRole)| {
                used += c.width().unwrap_or(0);
                used <= room
            };
            let count = rest.iter().take_while(fits).count().max(1).min(rest.len());
            let (line, after) = rest.split_at_checked(count).unwrap_or_default();
            let (mut letters, mut marks) = (String::new(), String::new());
            let mut shown = Role::Plain;
            for &(c, role) in line {
                if self.colored && role.role != shown {
                    let _ = write!(letters, "\x1b[{}m", code(role.role));
                    shown = role.role;
                }
                letters.push(c);
                let mark = symbol(role);
                marks.extend(std::iter::repeat_n(mark, c.width().unwrap_or(0)));
                if mark != ' ' && !self.used.contains(&(mark, role.role)) {
                    self.used.push((mark, role.role));
                }
            }
            if self.colored && shown != Role::Plain {
                letters.push_str("\x1b[0m");
            }
            self.line(&format!("{name:INDENT$}{letters}"));
            self.line(&format!("{:INDENT$}{marks}", ""));
            (name, rest) = ("", after);
            if rest.is_empty() {
                return;
            }
        }
    }

    fn group(&mut self, group: &Group, list_all: bool) {
        let count = group.items.len();
        let sum = match group.sum {
            sum if sum == count as f64 => format!("{count}"),
            sum => format!("{count}, {}", figure(sum)),
        };
        let mut lines = vec![format!("{} ({sum}):", group.name())];
        let most = if list_all { usize::MAX } else { MOST_LINES };
        for (number, item) in group.items.iter().enumerate() {
            let more = format!(" … {} more", count - number);
            let between = if number == 0 { " " } else { " · " };
            let is_last = lines.len() >= most;
            let Some(line) = lines.last_mut() else { return };
            let room = self.width.saturating_sub(more.width());
            if line.width() + between.width() + item.width() <= room {
                line.push_str(between);
                line.push_str(item);
            } else if is_last {
                line.push_str(&more);
                break;
            } else {
                lines.push(format!("  {}", shortened(item, self.width - 2)));
            }
        }
        lines.iter().for_each(|line| self.line(line));
    }

    /// The parts, and how each is made of those before it: beside it, or below where there is no room.
    fn parts(&mut self, parts: &[Part]) {
        let names = parts.iter().map(|part| part.name.width()).max().unwrap_or(0);
        let figures: Vec<String> = parts.iter().map(|part| figure(part.value)).collect();
        let numbers = figures.iter().map(|figure| figure.len()).max().unwrap_or(0);
        let formulas: Vec<String> = parts.iter().map(|part| part.formula.to_string()).collect();
        let words = formulas.iter().flat_map(|formula| formula.split(' '));
        let longest = words.map(UnicodeWidthStr::width).max().unwrap_or(0);
        let is_beside = names + numbers + 5 + longest <= self.width;
        let indent = if is_beside { names + numbers + 5 } else { 4 };
        for ((part, figure), formula) in parts.iter().zip(&figures).zip(&formulas) {
            let mut line = format!("{:names$} {figure:>numbers$}  = ", part.name);
            if !is_beside {
                self.line(&format!("{} {figure}", part.name));
                line = "  = ".to_owned();
            }
            for word in formula.split_inclusive(' ') {
                if line.width() + word.trim_end().width() > self.width && line.width() > indent {
                    self.line(&line);
                    line = " ".repeat(indent);
                }
                line.push_str(word);
            }
            self.line(&line);
        }
    }

    fn legend(&mut self) {
        if self.used.is_empty() {
            return;
        }
        let used = std::mem::take(&mut self.used);
        self.line("");
        for (mark, role) in used {
            let of = if mark == '+' { ", in some of its n-grams" } else { "" };
            self.line(&format!("{mark} {}{of}", meaning(role)));
        }
    }
}

fn shortened(item: &str, width: usize) -> String {
    if item.width() <= width {
        return item.to_owned();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    item.chars().take_while(fits).chain(['…']).collect()
}

/// The mark under a character.
fn symbol(role: UnitRole) -> char {
    match role.role {
        Role::Same if role.strength < 0.999 => '+',
        Role::Same => '=',
        Role::Alike => '~',
        Role::Moved => '>',
        Role::Changed => '!',
        Role::Only => '-',
        Role::Clipped => '.',
        Role::Noted => '^',
        _ => ' ',
    }
}

/// The colour of a role, as terminals number them.
fn code(role: Role) -> &'static str {
    match role {
        Role::Same => "0;32",
        Role::Alike => "0;36",
        Role::Moved => "0;34",
        Role::Changed => "0;33",
        Role::Only => "0;31",
        Role::Clipped => "0;2",
        Role::Noted => "0;1;4",
        _ => "0",
    }
}
