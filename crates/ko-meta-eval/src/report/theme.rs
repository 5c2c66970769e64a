//! Colours and fonts, for light and for dark.
//!
//! Figures name colours; a page resolves them by variables, so that one picture serves both themes, and a file of its own
//! has them as literals, because most programs that show SVG know no variables. Every number on a coloured cell has a
//! contrast of at least 4.5 : 1 with it (WCAG AA).

/// Steps of a colour scale.
pub(super) const STEPS: usize = 9;

/// Colours of series; later series begin again.
pub(super) const SERIES: usize = 8;

/// What systems have for Hangul before they fall back: nothing is fetched.
pub(super) const FONTS: &str = "Pretendard, 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', 'Noto Sans CJK KR', 'Nanum Gothic', system-ui, sans-serif";

/// A colour by what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    Paper,
    Ink,
    Soft,
    Rule,
    /// Text on the pale end of a scale.
    OnPale,
    /// Text on its strong end.
    OnStrong,
    Series(usize),
    Step(Scale, usize),
}

/// A colour scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// From little to much.
    Sequential,
    /// From the opposite over nothing to much.
    Diverging,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on black.
    Dark,
}

/// The variable's name, then its colour by day and by night.
type Row = (&'static str, [&'static str; 2]);

const PLAIN: [Row; 6] = [
    ("paper", ["#ffffff", "#15181c"]),
    ("ink", ["#14181d", "#e8ebef"]),
    ("soft", ["#56606b", "#a3adb8"]),
    ("rule", ["#dde2e8", "#343b43"]),
    ("pale", ["#14181d", "#ffffff"]),
    ("strong", ["#ffffff", "#14181d"]),
];
const OF_SERIES: [Row; SERIES] = [
    ("s0", ["#2863ab", "#69a1e8"]),
    ("s1", ["#bc5a1e", "#ee9a69"]),
    ("s2", ["#22793d", "#7ccd8e"]),
    ("s3", ["#894d97", "#cc91da"]),
    ("s4", ["#8a7000", "#e6cd6d"]),
    ("s5", ["#007f88", "#4cdbe3"]),
    ("s6", ["#a03e43", "#e08384"]),
    ("s7", ["#504799", "#a7a3f0"]),
];
const SEQUENTIAL: [Row; STEPS] = [
    ("q0", ["#eef5fa", "#172641"]),
    ("q1", ["#d3e7f5", "#1a3355"]),
    ("q2", ["#b0d5ee", "#1c4269"]),
    ("q3", ["#86bfe4", "#1d527f"]),
    ("q4", ["#5aa6d8", "#1c6395"]),
    ("q5", ["#4393cb", "#1a74ac"]),
    ("q6", ["#2a6ba3", "#3ea9de"]),
    ("q7", ["#22507f", "#62c4f2"]),
    ("q8", ["#1d385c", "#8fe0ff"]),
];
const DIVERGING: [Row; STEPS] = [
    ("d0", ["#822000", "#ff9765"]),
    ("d1", ["#a35732", "#cb7b55"]),
    ("d2", ["#c2896f", "#955f47"]),
    ("d3", ["#debcac", "#624538"]),
    ("d4", ["#f5f1ef", "#302d2c"]),
    ("d5", ["#b1c6e2", "#3c4e66"]),
    ("d6", ["#779bc9", "#4e719d"]),
    ("d7", ["#3e70af", "#6195d6"]),
    ("d8", ["#004593", "#74baff"]),
];

impl Colour {
    /// What reads best on a step of a scale.
    pub(super) fn on(scale: Scale, step: usize) -> Self {
        match (scale, step) {
            (Scale::Sequential, 0..=5) | (Scale::Diverging, 2..=6) => Self::OnPale,
            _ => Self::OnStrong,
        }
    }

    fn row(self) -> Row {
        let [paper, ink, soft, rule, pale, strong] = PLAIN;
        let of = |rows: &[Row], place: usize| rows.get(place % rows.len()).copied().unwrap_or(ink);
        match self {
            Self::Paper => paper,
            Self::Ink => ink,
            Self::Soft => soft,
            Self::Rule => rule,
            Self::OnPale => pale,
            Self::OnStrong => strong,
            Self::Series(number) => of(&OF_SERIES, number),
            Self::Step(Scale::Sequential, step) => of(&SEQUENTIAL, step),
            Self::Step(Scale::Diverging, step) => of(&DIVERGING, step),
        }
    }
}

/// How colours are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    /// As variables of a page, which follow its theme.
    Variables,
    /// As they are.
    Literal(Theme),
}

impl Paint {
    pub(super) fn of(self, colour: Colour) -> String {
        let (name, [light, dark]) = colour.row();
        match self {
            Self::Variables => format!("var(--{name})"),
            Self::Literal(Theme::Light) => light.to_owned(),
            Self::Literal(Theme::Dark) => dark.to_owned(),
        }
    }
}

/// The style of a page with figures and tables.
pub(super) fn page_style() -> String {
    let all = || PLAIN.iter().chain(&OF_SERIES).chain(&SEQUENTIAL).chain(&DIVERGING);
    let of = |theme: usize| -> String {
        all()
            .map(|(name, colours)| format!("--{name}:{};", colours.get(theme).unwrap_or(&"")))
            .collect()
    };
    format!(
        ":root{{{}}}\n@media(prefers-color-scheme:dark){{:root{{{}}}}}\nbody,.fig{{font-family:{FONTS}}}\n{}",
        of(0),
        of(1),
        include_str!("document/page.css")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn numbers_can_be_read_on_every_step() {
        for theme in [Theme::Light, Theme::Dark] {
            let paint = Paint::Literal(theme);
            for scale in [Scale::Sequential, Scale::Diverging] {
                for step in 0..STEPS {
                    let ground = light(&paint.of(Colour::Step(scale, step)));
                    let ink = light(&paint.of(Colour::on(scale, step)));
                    let contrast = (ground.max(ink) + 0.05) / (ground.min(ink) + 0.05);
                    assert!(contrast >= 4.5, "{scale:?} {step} {theme:?}: {contrast}");
                }
            }
            for series in 0..SERIES {
                let (ink, ground) =
                    (light(&paint.of(Colour::Series(series))), light(&paint.of(Colour::Paper)));
                let contrast = (ground.max(ink) + 0.05) / (ground.min(ink) + 0.05);
                assert!(contrast >= 3.0, "series {series} {theme:?}: {contrast}");
            }
        }
    }
}
