//! The tasks, a file each.

pub(crate) mod coord_inv;
pub(crate) mod honorifics;
pub(crate) mod negation;
pub(crate) mod sent_len;
pub(crate) mod sent_type;
pub(crate) mod somo;
pub(crate) mod subj_omission;
pub(crate) mod tense;
pub(crate) mod top_deps;
pub(crate) mod tree_depth;
pub(crate) mod wc;
