//! A figure that is ready: in a page, as a file of its own, and as the numbers that it shows.

use super::{
    canvas::{Canvas, escape, svg},
    csv_of,
    theme::{Paint, Theme},
};
use crate::Result;

/// How much room a figure has on a phone, and on a page of its own.
pub(super) const NARROW: f64 = 350.0;
pub(super) const WIDE: f64 = 620.0;

/// A figure, drawn for wide and for narrow pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The file's name without ending: `segment-pearson`.
    pub name: String,
    /// What it shows, for those who cannot see it as well.
    pub title: String,
    wide: Canvas,
    narrow: Canvas,
    /// A line of names, then the numbers.
    data: Vec<Vec<String>>,
}

impl Figure {
    pub(super) fn new(
        name: impl Into<String>,
        title: impl Into<String>,
        [wide, narrow]: [Canvas; 2],
        data: Vec<Vec<String>>,
    ) -> Self {
        Self { name: name.into(), title: title.into(), wide, narrow, data }
    }

    /// For a page that has the style: both drawings, of which the page shows the one that fits.
    pub(super) fn inline(&self) -> String {
        // The widest figures need more than a tablet.
        let [of_wide, of_narrow] = match self.wide.width() > 720.0 {
            true => ["wide-only big", "narrow-only big"],
            false => ["wide-only", "narrow-only"],
        };
        let [wide, narrow] = [&self.wide, &self.narrow];
        let [wide, narrow] = [(wide, of_wide), (narrow, of_narrow)]
            .map(|(canvas, class)| svg(canvas, &self.title, Paint::Variables, class));
        let (title, name) = (escape(&self.title), escape(&self.name));
        format!(
            "<figure><figcaption>{title} <span class=\"files\"><a href=\"figures/{name}.svg\">SVG</a> \
             <a href=\"figures/{name}.csv\">CSV</a></span></figcaption><div class=\"scroll\">{wide}{narrow}</div></figure>\n"
        )
    }

    /// As a file of its own, light, with literal colours: any program that shows SVG shows it.
    pub fn to_svg(&self) -> String {
        self.to_svg_in(Theme::Light)
    }

    /// The same, light or dark.
    pub fn to_svg_in(&self, theme: Theme) -> String {
        svg(&self.wide, &self.title, Paint::Literal(theme), "")
    }

    /// The numbers that it shows, in full precision.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn csv(&self) -> Result<Vec<u8>> {
        csv_of(&self.data)
    }
}
