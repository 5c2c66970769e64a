//! What a unit of Khaiii's is. Declared whether Khaiii is compiled in or not, because the row always stands in the table.

use ko_eval_core::setting::Choice;

/// What a unit is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum KhaiiiForm {
    /// A morpheme, restored: 하/XSV, 였/EP.
    #[default]
    Morpheme,
    /// The piece of text that a morpheme was found in; those that share a character are one: 했/XSV+EP.
    Surface,
}

/// The setting.
pub(super) const FORM: Choice<KhaiiiForm> = Choice::new(
    "form",
    &[("morpheme", KhaiiiForm::Morpheme), ("surface", KhaiiiForm::Surface)],
    "morpheme (하 · 였) or surface (했)",
);
