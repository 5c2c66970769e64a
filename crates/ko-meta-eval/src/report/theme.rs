//! Colours and fonts, for light and for dark.
//!
//! Figures name colours by class and variable only, so one picture serves both. Every number on a
//! coloured cell has a contrast of at least 4.5 : 1 with it (WCAG AA).

/// Steps of a colour scale.
pub(super) const STEPS: usize = 9;

/// Colours of series; later series begin again.
pub(super) const SERIES: usize = 8;

/// Variables and the classes of figures. The font stack names what systems have for Hangul before it
/// falls back: nothing is fetched.
pub(super) const FIGURE_CSS: &str = "\
:root{--paper:#fff;--ink:#14181d;--soft:#56606b;--rule:#dde2e8;\
--s0:#2863ab;--s1:#bc5a1e;--s2:#22793d;--s3:#894d97;--s4:#8a7000;--s5:#007f88;--s6:#a03e43;--s7:#504799;\
--q0:#eef5fa;--q1:#d3e7f5;--q2:#b0d5ee;--q3:#86bfe4;--q4:#5aa6d8;--q5:#4393cb;--q6:#2a6ba3;--q7:#22507f;--q8:#1d385c;\
--d0:#822000;--d1:#a35732;--d2:#c2896f;--d3:#debcac;--d4:#f5f1ef;--d5:#b1c6e2;--d6:#779bc9;--d7:#3e70af;--d8:#004593}\n\
@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e8ebef;--soft:#a3adb8;--rule:#343b43;\
--s0:#69a1e8;--s1:#ee9a69;--s2:#7ccd8e;--s3:#cc91da;--s4:#e6cd6d;--s5:#4cdbe3;--s6:#e08384;--s7:#a7a3f0;\
--q0:#172641;--q1:#1a3355;--q2:#1c4269;--q3:#1d527f;--q4:#1c6395;--q5:#1a74ac;--q6:#3ea9de;--q7:#62c4f2;--q8:#8fe0ff;\
--d0:#ff9765;--d1:#cb7b55;--d2:#955f47;--d3:#624538;--d4:#302d2c;--d5:#3c4e66;--d6:#4e719d;--d7:#6195d6;--d8:#74baff}}\n\
.fig{font-family:\"Pretendard\",\"Apple SD Gothic Neo\",\"Malgun Gothic\",\"Noto Sans KR\",\"Noto Sans CJK KR\",\"Nanum Gothic\",system-ui,sans-serif;\
font-size:13px;font-variant-numeric:tabular-nums}\n\
.fig text{fill:var(--ink)}.fig .soft{fill:var(--soft);font-size:12px}.fig .head{font-size:15px;font-weight:600}\
.fig .end{text-anchor:end}.fig .mid{text-anchor:middle}.fig .bold{font-weight:700}\
.fig .paper{fill:var(--paper)}.fig .rule{stroke:var(--rule);stroke-width:1}.fig .axis{stroke:var(--soft);stroke-width:1}\
.fig .none{fill:none;stroke:var(--rule)}.fig .ring{fill:none;stroke:var(--ink);stroke-width:2}\
.fig .whisker{stroke:var(--ink);stroke-width:1.25;fill:none}.fig .line{fill:none;stroke-width:2}\n";

/// The page around the figures.
pub(super) const PAGE_CSS: &str = "\
html{color-scheme:light dark}\
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.55;\
font-family:\"Pretendard\",\"Apple SD Gothic Neo\",\"Malgun Gothic\",\"Noto Sans KR\",\"Noto Sans CJK KR\",\"Nanum Gothic\",system-ui,sans-serif}\n\
main{max-width:82rem;margin:0 auto;padding:2rem 1.25rem 4rem}\
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .4rem}h2{font-size:1.2rem;margin:2.6rem 0 .3rem}\
p{max-width:46rem;margin:.4rem 0}.lead{font-size:1.08rem}.soft{color:var(--soft)}\n\
.row{display:flex;flex-wrap:wrap;gap:1.5rem 2.5rem;align-items:flex-start}\
figure{margin:1rem 0 0;max-width:100%;overflow-x:auto}figure svg{display:block;max-width:none}\n\
.wide{overflow-x:auto;margin:.8rem 0}\
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}\
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--rule);text-align:left;white-space:nowrap}\
th{font-weight:600;vertical-align:bottom;white-space:normal;border-bottom-color:var(--soft)}.n{text-align:right}\
tbody tr:hover{background:color-mix(in srgb,var(--s0) 9%,transparent)}\
th button{all:unset;cursor:pointer;font-weight:600}th button:hover{text-decoration:underline}\
th button:focus-visible,.fig a:focus-visible{outline:2px solid var(--s0);outline-offset:2px}\
th[aria-sort=ascending] button::after{content:\" ▲\";font-size:.7em}\
th[aria-sort=descending] button::after{content:\" ▼\";font-size:.7em}\
\n";

/// The number's class on a cell of this step: dark or bright, whichever reads better, by theme.
pub(super) fn on(scale: Scale, step: usize) -> &'static str {
    match (scale, step) {
        (Scale::Sequential, 0..=5) => "on-low",
        (Scale::Sequential, _) => "on-high",
        (Scale::Diverging, 0 | 1 | 7 | 8) => "on-end",
        (Scale::Diverging, _) => "on-mid",
    }
}

/// Which theme turns the numbers of which steps dark or bright.
pub(super) const ON_CSS: &str = "\
.fig text.on-low,.fig text.on-mid{fill:#14181d}.fig text.on-high,.fig text.on-end{fill:#fff}\
@media(prefers-color-scheme:dark){.fig text.on-low,.fig text.on-mid{fill:#fff}.fig text.on-high,.fig text.on-end{fill:#14181d}}\n";

/// A colour scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// From little to much.
    Sequential,
    /// From the opposite over nothing to much.
    Diverging,
}

impl Scale {
    /// The variable's letter.
    pub(super) fn letter(self) -> char {
        match self {
            Self::Sequential => 'q',
            Self::Diverging => 'd',
        }
    }
}
