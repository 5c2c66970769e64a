//! Memory that a thread uses again for the next segment, instead of asking the system for it.

use std::{cell::Cell, thread::LocalKey};

/// Where a thread keeps it.
pub(crate) type Spare<T> = LocalKey<Cell<Option<Box<T>>>>;

/// The memory of more units, nodes or places is not kept: one long text must not hold it forever.
const MOST: usize = 1 << 14;

/// What the thread has kept, or something new. It is as it was left.
#[inline]
pub(crate) fn take<T: Default>(spare: &'static Spare<T>) -> Box<T> {
    spare.try_with(Cell::take).ok().flatten().unwrap_or_default()
}

/// Keeps memory of such a size for the next segment.
#[inline]
pub(crate) fn keep<T>(spare: &'static Spare<T>, memory: Box<T>, size: usize) {
    if size <= MOST {
        // A thread that ends has no more use for it.
        let _ = spare.try_with(|spare| spare.set(Some(memory)));
    }
}
