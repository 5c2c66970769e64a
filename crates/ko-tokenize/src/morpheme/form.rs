//! What a unit of MeCab-ko's is. Declared whether MeCab-ko is compiled in or not, because the row always stands in the
//! table.

use ko_eval_core::setting::Choice;

/// What a unit is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum MecabForm {
    /// A piece of the text: 했/VV+EP.
    #[default]
    Surface,
    /// The morphemes behind a surface, restored: 하/VV, 았/EP. Compounds stay whole.
    Morpheme,
    /// The same, predicates in their dictionary form: 하다/VV, 았/EP.
    Lemma,
}

/// The setting.
pub(super) const FORM: Choice<MecabForm> = Choice::new(
    "form",
    &[
        ("surface", MecabForm::Surface),
        ("morpheme", MecabForm::Morpheme),
        ("lemma", MecabForm::Lemma),
    ],
    "surface (했), morpheme (하 · 았) or lemma (하다 · 았)",
);
