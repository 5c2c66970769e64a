//! Models as their authors and callers use them.

mod entities;
mod values;
