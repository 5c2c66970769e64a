//! A picture being drawn: shapes in SVG, text escaped, widths guessed.

use super::theme::{Colour, FONTS, Paint, SERIES};
pub(super) use ko_eval_io::html::escape;
use std::fmt::Write;

/// The size of small text, and of text.
pub(super) const SMALL: f64 = 12.0;
pub(super) const NORMAL: f64 = 13.0;

/// Where a text stands, seen from its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Anchor {
    #[default]
    Start,
    Middle,
    End,
}

/// A text and how it looks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    text: String,
    colour: Colour,
    anchor: Anchor,
    size: f64,
    bold: bool,
    /// Degrees, clockwise.
    turned: Option<f64>,
}

impl Text {
    pub(super) fn new(text: impl Into<String>) -> Self {
        let (colour, anchor, size) = (Colour::Ink, Anchor::Start, NORMAL);
        Self { text: text.into(), colour, anchor, size, bold: false, turned: None }
    }

    pub(super) fn soft(self) -> Self {
        Self { colour: Colour::Soft, size: SMALL, ..self }
    }

    pub(super) fn colour(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    pub(super) fn size(self, size: f64) -> Self {
        Self { size, ..self }
    }

    pub(super) fn middle(self) -> Self {
        Self { anchor: Anchor::Middle, ..self }
    }

    pub(super) fn end(self) -> Self {
        Self { anchor: Anchor::End, ..self }
    }

    pub(super) fn bold(self, bold: bool) -> Self {
        Self { bold, ..self }
    }

    pub(super) fn turned(self, degrees: f64) -> Self {
        Self { turned: Some(degrees), ..self }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Text(Text, (f64, f64)),
    Line {
        from: (f64, f64),
        to: (f64, f64),
        colour: Colour,
        width: f64,
    },
    /// Filled, with a tooltip.
    Block {
        at: (f64, f64),
        size: (f64, f64),
        fill: Colour,
        tip: String,
    },
    /// Outlined.
    Frame {
        at: (f64, f64),
        size: (f64, f64),
        stroke: Colour,
        width: f64,
    },
    Path {
        series: usize,
        points: Vec<(f64, f64)>,
    },
    Point {
        series: usize,
        at: (f64, f64),
        tip: String,
    },
    Ring {
        at: (f64, f64),
    },
    Link(String),
    EndLink,
}

/// Shapes so far, and then how much room they take.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Canvas {
    shapes: Vec<Shape>,
    size: (f64, f64),
}

impl Canvas {
    pub(super) fn text(&mut self, at: (f64, f64), text: Text) {
        self.shapes.push(Shape::Text(text, at));
    }

    pub(super) fn line(&mut self, colour: Colour, width: f64, from: (f64, f64), to: (f64, f64)) {
        self.shapes.push(Shape::Line { from, to, colour, width });
    }

    pub(super) fn link(&mut self, address: &str) {
        self.shapes.push(Shape::Link(address.to_owned()));
    }

    pub(super) fn end_link(&mut self) {
        self.shapes.push(Shape::EndLink);
    }

    pub(super) fn block(&mut self, fill: Colour, at: (f64, f64), size: (f64, f64), tip: &str) {
        self.shapes.push(Shape::Block { at, size, fill, tip: tip.to_owned() });
    }

    pub(super) fn frame(&mut self, stroke: Colour, width: f64, at: (f64, f64), size: (f64, f64)) {
        self.shapes.push(Shape::Frame { at, size, stroke, width });
    }

    /// A line through points, in a series' colour.
    pub(super) fn path(&mut self, series: usize, points: &[(f64, f64)]) {
        self.shapes.push(Shape::Path { series, points: points.to_vec() });
    }

    /// A point of a series. The shape differs as well as the colour, for those who see few colours; series that share
    /// a colour, because there are more of them than colours, have different shapes.
    pub(super) fn point(&mut self, series: usize, at: (f64, f64), tip: &str) {
        self.shapes.push(Shape::Point { series, at, tip: tip.to_owned() });
    }

    /// A ring around a point.
    pub(super) fn ring(&mut self, at: (f64, f64)) {
        self.shapes.push(Shape::Ring { at });
    }

    /// The same, done, on so much room.
    pub(super) fn sized(self, width: f64, height: f64) -> Self {
        Self { size: (width.ceil(), height.ceil()), ..self }
    }

    pub(super) fn width(&self) -> f64 {
        self.size.0
    }

    pub(super) fn height(&self) -> f64 {
        self.size.1
    }

    /// Whether something in it leads elsewhere.
    pub(super) fn has_links(&self) -> bool {
        self.shapes.iter().any(|shape| matches!(shape, Shape::Link(_)))
    }

    /// The shapes as SVG. Links lead out of a page, never out of a file of its own.
    pub(super) fn svg(&self, paint: Paint) -> String {
        let mut out = String::new();
        for shape in &self.shapes {
            // Writing to a string cannot fail.
            let _ = shape.write(paint, &mut out);
        }
        out
    }
}

impl Shape {
    fn write(&self, paint: Paint, out: &mut String) -> std::fmt::Result {
        let of = |colour: &Colour| paint.of(*colour);
        match self {
            Self::Text(text, (x, y)) => {
                write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{}\"", of(&text.colour))?;
                match text.anchor {
                    Anchor::Start => {}
                    Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
                    Anchor::End => out.push_str(" text-anchor=\"end\""),
                }
                if text.size != NORMAL {
                    write!(out, " font-size=\"{}\"", text.size)?;
                }
                if text.bold {
                    out.push_str(" font-weight=\"700\"");
                }
                if let Some(degrees) = text.turned {
                    write!(out, " transform=\"rotate({degrees} {x:.1} {y:.1})\"")?;
                }
                write!(out, ">{}</text>", escape(&text.text))
            }
            Self::Line { from, to, colour, width } => write!(
                out,
                "<line stroke=\"{}\" stroke-width=\"{width}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
                of(colour),
                from.0,
                from.1,
                to.0,
                to.1
            ),
            Self::Block { at, size, fill, tip } => write!(
                out,
                "<rect fill=\"{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\">{}</rect>",
                of(fill),
                at.0,
                at.1,
                size.0,
                size.1,
                tooltip(tip)
            ),
            Self::Frame { at, size, stroke, width } => write!(
                out,
                "<rect fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"/>",
                of(stroke),
                at.0,
                at.1,
                size.0,
                size.1
            ),
            Self::Path { series, points } => {
                let points: Vec<String> =
                    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let (colour, points) = (of(&Colour::Series(*series)), points.join(" "));
                write!(
                    out,
                    "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{points}\"/>"
                )
            }
            Self::Point { series, at: (x, y), tip } => {
                let shape = match (series + series / SERIES) % 4 {
                    0 => format!("M{:.1} {y:.1}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", x - 4.5),
                    1 => format!("M{:.1} {:.1}h8v8h-8z", x - 4.0, y - 4.0),
                    2 => format!("M{x:.1} {:.1}l5 9h-10z", y - 5.5),
                    _ => format!("M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", y - 5.5),
                };
                let colour = of(&Colour::Series(*series));
                write!(out, "<path fill=\"{colour}\" d=\"{shape}\">{}</path>", tooltip(tip))
            }
            Self::Ring { at } => write!(
                out,
                "<circle fill=\"none\" stroke=\"{}\" stroke-width=\"2\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"8.5\"/>",
                of(&Colour::Ink),
                at.0,
                at.1
            ),
            Self::Link(_) | Self::EndLink if paint != Paint::Variables => Ok(()),
            Self::Link(address) => write!(out, "<a href=\"{}\">", escape(address)),
            Self::EndLink => write!(out, "</a>"),
        }
    }
}

fn tooltip(tip: &str) -> String {
    if tip.is_empty() { String::new() } else { format!("<title>{}</title>", escape(tip)) }
}

/// A whole picture; `title` is for those who cannot see it, and stands above the shapes of a file of its own.
pub(super) fn svg(canvas: &Canvas, title: &str, paint: Paint, class: &str) -> String {
    let escaped = escape(title);
    let body = canvas.svg(paint);
    let (width, height) = (canvas.width(), canvas.height());
    if paint == Paint::Variables {
        // What is one picture to a screen reader has no links inside.
        let role = if canvas.has_links() { "group" } else { "img" };
        return format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fig {class}\" role=\"{role}\" aria-label=\"{escaped}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-size=\"{NORMAL}\">{body}</svg>"
        );
    }
    const MARGIN: f64 = 12.0;
    const HEAD: f64 = 30.0;
    let wide = width.max(1.2 * width_of(title)) + 2.0 * MARGIN;
    let (wide, high) = (wide.ceil(), height + HEAD + 2.0 * MARGIN);
    let (paper, ink) = (paint.of(Colour::Paper), paint.of(Colour::Ink));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         font-family=\"{FONTS}\" font-size=\"{NORMAL}\"><title>{escaped}</title>\
         <rect fill=\"{paper}\" width=\"{wide}\" height=\"{high}\"/>\
         <text x=\"{MARGIN}\" y=\"28\" fill=\"{ink}\" font-size=\"15\" font-weight=\"600\">{escaped}</text>\
         <g transform=\"translate({MARGIN} {})\">{body}</g></svg>\n",
        MARGIN + HEAD
    )
}

/// How wide a text of 13 pixels is at most in the fonts of a usual machine: by the wider of Nanum Gothic and DejaVu Sans.
pub(super) fn width_of(text: &str) -> f64 {
    let em = |c: char| match c {
        ' ' | 'I' | 'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' => 0.35,
        'J' | 'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' | '!' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' => 1.03,
        '%' => 1.09,
        '+' | '=' | '<' | '>' | '~' | '#' | '&' => 0.84,
        c if c.is_ascii_uppercase() => 0.78,
        c if c.is_ascii() => 0.64,
        // Hangul and other wide writing.
        _ => 0.95,
    };
    NORMAL * text.chars().map(em).sum::<f64>()
}

/// A text that is at most so wide, its end left out if need be.
pub(super) fn shortened(text: &str, width: f64) -> String {
    if width_of(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if width_of(&kept) + 2.0 * NORMAL > width {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}

/// A coefficient with three decimals and a real minus.
pub(super) fn number(value: f64) -> String {
    format!("{value:.3}").replace('-', "−")
}

/// A probability, short.
pub(super) fn probability(p: f64) -> String {
    match p {
        p if p < 0.001 => "p < .001".into(),
        p => format!("p = {p:.3}").replace("0.", "."),
    }
}

/// Round numbers that cover a range, and the step between them.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    // One value alone has no range: it stands in the middle of a small one.
    let around = if high - low < 1e-6 { (0.01 * low.abs()).max(0.05) } else { 0.0 };
    let (low, high) = (low - around, high + around);
    let span = high - low;
    let power = 10f64.powf((span / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|step| span / step <= 6.0)
        .unwrap_or(span);
    let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    (first..=last.clamp(first + 1, first + 20)).map(|i| i as f64 * step).collect()
}

/// A tick in as many decimals as its neighbours need.
pub(super) fn tick_label(ticks: &[f64], tick: f64) -> String {
    let step = match ticks {
        [first, second, ..] => (second - first).abs(),
        _ => 1.0,
    };
    let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{tick:.decimals$}").replace('-', "−")
}

/// The names of the series with their marks, in as many lines as the width asks for; how high they are.
pub(super) fn legend(canvas: &mut Canvas, names: &[String], at: (f64, f64), width: f64) -> f64 {
    const LINE: f64 = 20.0;
    let (mut x, mut y) = at;
    for (series, name) in names.iter().enumerate() {
        let needed = width_of(name) + 18.0;
        if x > at.0 && x + needed > at.0 + width {
            (x, y) = (at.0, y + LINE);
        }
        canvas.point(series, (x + 6.0, y + 8.0), name);
        canvas.text((x + 16.0, y + 12.5), Text::new(name));
        x += needed + 16.0;
    }
    y + LINE - at.1
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
            let labels: Vec<String> = ticks.iter().map(|t| tick_label(&ticks, *t)).collect();
            assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{labels:?}");
        }
    }

    #[test]
    fn a_file_of_its_own_has_no_variables_and_no_links() {
        let mut canvas = Canvas::default();
        canvas.link("segments.html#cell=0");
        canvas.block(Colour::Series(1), (0.0, 0.0), (1.0, 1.0), "<b>");
        canvas.end_link();
        canvas.point(9, (3.0, 3.0), "점");
        let canvas = canvas.sized(10.0, 10.0);
        for theme in [super::super::Theme::Light, super::super::Theme::Dark] {
            let file = svg(&canvas, "<제목>", Paint::Literal(theme), "");
            assert!(!file.contains("var(") && !file.contains("<a ") && !file.contains("class="));
            assert!(file.contains("&lt;b&gt;") && file.contains("&lt;제목&gt;"), "{file}");
        }
        let inline = svg(&canvas, "제목", Paint::Variables, "wide");
        assert!(inline.contains("var(--s1)") && inline.contains("<a href"), "{inline}");
    }
}
