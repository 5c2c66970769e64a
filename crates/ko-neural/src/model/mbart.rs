//! mBART's encoder (mBART-25, mBART-50): BART with the norms before what is added, and one after all.

use super::{
    bart,
    config::Config,
    layout::{Layout, Order},
};

pub(crate) fn layout(config: &Config) -> Layout {
    let mut layout = bart::layout(config);
    layout.order = Order::PreNorm;
    layout.last_norm = Some("layer_norm");
    layout
}
