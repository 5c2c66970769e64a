//! mBART (mBART-25, mBART-50): BART with the norms before what is added, and one after all.

use super::{
    bart,
    family::{Family, WriterLayout},
};
use crate::{
    error::Result,
    model::{config::Settings, layout::Order},
};

pub(crate) const FAMILY: Family = Family { name: "mbart", layout, ..bart::FAMILY };

fn layout(config: &Settings, base: &str) -> Result<WriterLayout> {
    let mut layout = bart::layout(config, base)?;
    layout.decoder.order = Order::PreNorm;
    layout.decoder.last_norm = Some(format!("{base}decoder.layer_norm"));
    Ok(layout)
}
