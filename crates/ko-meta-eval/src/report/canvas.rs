//! A picture being drawn: shapes in SVG, text escaped, widths guessed.

use super::theme::{FIGURE_CSS, ON_CSS, SERIES};
pub(super) use ko_eval_core::html::escape;
use std::fmt::{Display, Write};

/// A figure that is ready: inline or as a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The file's name without ending: `segment-pearson`.
    pub name: String,
    /// What it shows, for those who cannot see it.
    pub title: String,
    width: usize,
    height: usize,
    body: String,
}

impl Figure {
    /// For a page that has the style.
    pub(super) fn inline(&self) -> String {
        let Self { width, height, body, .. } = self;
        let title = escape(&self.title);
        // What is one picture to a screen reader has no links inside.
        let role = if body.contains("<a ") { "group" } else { "img" };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fig\" role=\"{role}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\"><title>{title}</title>{body}</svg>"
        )
    }

    /// As a file of its own, light and dark.
    pub fn to_svg(&self) -> String {
        let style = format!(
            "<style>{FIGURE_CSS}{ON_CSS}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>"
        );
        self.inline().replacen("</title>", &format!("</title>{style}"), 1) + "\n"
    }
}

/// Shapes so far.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
}

impl Canvas {
    pub(super) fn finish(
        self,
        name: impl Into<String>,
        title: impl Into<String>,
        size: (f64, f64),
    ) -> Figure {
        let (width, height) = (size.0.ceil() as usize, size.1.ceil() as usize);
        Figure { name: name.into(), title: title.into(), width, height, body: self.body }
    }

    pub(super) fn text(&mut self, class: &str, at: (f64, f64), text: impl Display) {
        let text = escape(&text.to_string());
        self.push(format_args!(
            "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
            at.0, at.1
        ));
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.push(format_args!(
            "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        ));
    }

    /// What is drawn next leads to this address, until the [end](Self::end_link).
    pub(super) fn link(&mut self, address: Option<&str>) {
        if let Some(address) = address {
            self.push(format_args!("<a href=\"{}\">", escape(address)));
        }
    }

    /// What is drawn next leads nowhere again.
    pub(super) fn end_link(&mut self, linked: bool) {
        if linked {
            self.push(format_args!("</a>"));
        }
    }

    /// A filled rectangle with a tooltip.
    pub(super) fn block(&mut self, fill: &str, at: (f64, f64), size: (f64, f64), tip: &str) {
        let tip = escape(tip);
        self.push(format_args!(
            "<rect fill=\"var(--{fill})\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"><title>{tip}</title></rect>",
            at.0, at.1, size.0, size.1
        ));
    }

    /// An outlined rectangle.
    pub(super) fn frame(&mut self, class: &str, at: (f64, f64), size: (f64, f64)) {
        self.push(format_args!(
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"/>",
            at.0, at.1, size.0, size.1
        ));
    }

    /// A line through points, in a series' colour.
    pub(super) fn path(&mut self, series: usize, points: &[(f64, f64)]) {
        let colour = series % SERIES;
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        self.push(format_args!(
            "<polyline class=\"line\" stroke=\"var(--s{colour})\" points=\"{points}\"/>"
        ));
    }

    /// A point of a series. The shape differs as well as the colour, for those who see few colours; series that share
    /// a colour, because there are more of them than colours, have different shapes.
    pub(super) fn point(&mut self, series: usize, (x, y): (f64, f64), tip: &str) {
        let colour = series % SERIES;
        let shape = match (series + series / SERIES) % 4 {
            0 => format!("M{:.1} {y:.1}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", x - 4.5),
            1 => format!("M{:.1} {:.1}h8v8h-8z", x - 4.0, y - 4.0),
            2 => format!("M{x:.1} {:.1}l5 9h-10z", y - 5.5),
            _ => format!("M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", y - 5.5),
        };
        let tip = escape(tip);
        self.push(format_args!(
            "<path fill=\"var(--s{colour})\" d=\"{shape}\"><title>{tip}</title></path>"
        ));
    }

    /// A ring around a point.
    pub(super) fn ring(&mut self, at: (f64, f64)) {
        self.push(format_args!(
            "<circle class=\"ring\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"8.5\"/>",
            at.0, at.1
        ));
    }

    fn push(&mut self, shape: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(shape);
    }
}

/// About how wide a text of 13 pixels is.
pub(super) fn width_of(text: &str) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | '.' | ',' | ':' | '|' | ' ' | '1' | '(' | ')' => 0.36,
        'm' | 'w' | 'M' | 'W' => 0.86,
        c if c.is_ascii_uppercase() => 0.68,
        c if c.is_ascii() => 0.6,
        // Hangul and other wide writing.
        _ => 0.95,
    };
    13.0 * text.chars().map(em).sum::<f64>()
}

/// A coefficient with three decimals and a real minus.
pub(super) fn number(value: f64) -> String {
    format!("{value:.3}").replace('-', "−")
}

/// Round numbers that cover a range, and the step between them.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-9);
    let power = 10f64.powf((span / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|step| span / step <= 6.0)
        .unwrap_or(span);
    let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    (first..=last.clamp(first + 1, first + 20)).map(|i| i as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_cover_the_range() {
        for (low, high) in [(0.0, 0.7), (-0.2, 0.9), (0.512, 0.514), (0.0, 0.0), (3.0, 40_000.0)] {
            let ticks = ticks(low, high);
            assert!(ticks.len() >= 2 && ticks.len() <= 21, "{ticks:?}");
            assert!(ticks[0] <= low && ticks[ticks.len() - 1] >= high, "{ticks:?}");
        }
    }
}
