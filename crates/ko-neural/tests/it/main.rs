//! What needs no libtorch: formulas, programs of the user's, and a rule about the sources.

mod mathematics;
mod one_place;
mod outside;
