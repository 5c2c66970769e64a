//! What the fuzz targets share: any metric over any unit, files that somebody damaged, and a folder to put them into.

mod damage;
mod folder;
mod metrics;

pub use damage::{damaged, is_packed, text};
pub use folder::Folder;
pub use metrics::{Any, bounded};
