//! Texts in blocks of bytes, looked at all at once: what is found is a bit for each byte.

/// How many bytes a block has.
pub(crate) const BLOCK: usize = 64;

/// How many blocks a text has, with its end, which is a place too.
pub(crate) fn count(text: &str) -> usize {
    text.len() / BLOCK + 1
}

/// Hands over where in each block of a text such bytes are, and its end.
#[inline]
pub(crate) fn each(text: &str, is_such: impl Fn(u8) -> bool, mut each: impl FnMut(u64)) {
    let (blocks, rest) = text.as_bytes().as_chunks();
    blocks.iter().for_each(|block| each(found_in(block, &is_such)));
    each(found_at_end(text.as_bytes(), rest.len(), is_such) | 1 << rest.len());
}

/// By the place of a byte in a block, the bit of its row of eight.
const ROWS: [u8; BLOCK] = {
    let mut rows = [0; BLOCK];
    let mut at = 0;
    #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, and only there")]
    while at < BLOCK {
        rows[at] = 1 << (at / 8);
        at += 1;
    }
    rows
};

/// Which bytes of a block are such. Written so that the compiler looks at sixteen bytes with each instruction.
#[inline]
fn found_in(block: &[u8; BLOCK], is_such: impl Fn(u8) -> bool) -> u64 {
    let mut found = [0; BLOCK];
    for ((to, &byte), &row) in found.iter_mut().zip(block).zip(&ROWS) {
        *to = if is_such(byte) { row } else { 0 };
    }
    let (rows, _) = found.as_chunks();
    turn(rows.iter().fold(0, |all, &row| all | u64::from_le_bytes(row)))
}

/// The same of the last bytes of a text, less than a block. They are looked at together with those before them, if
/// these are enough for a block.
#[inline]
fn found_at_end(text: &[u8], length: usize, is_such: impl Fn(u8) -> bool) -> u64 {
    match text.last_chunk() {
        Some(block) => found_in(block, is_such).checked_shr((BLOCK - length) as u32).unwrap_or(0),
        None => {
            // Leads nothing.
            let mut block = [0x80; BLOCK];
            if let Some(to) = block.get_mut(..text.len()) {
                to.copy_from_slice(text);
            }
            found_in(&block, is_such)
        }
    }
}

/// Eight rows of eight bits become columns: what was bit *i* of byte *j* is now bit *j* of byte *i*.
#[inline]
fn turn(bits: u64) -> u64 {
    // Swaps the two halves off the diagonal, of ever larger squares.
    let swap = |bits: u64, distance: u32, mask: u64| {
        let differing = (bits ^ bits >> distance) & mask;
        bits ^ differing ^ differing << distance
    };
    let bits = swap(bits, 7, 0x00aa_00aa_00aa_00aa);
    let bits = swap(bits, 14, 0x0000_cccc_0000_cccc);
    swap(bits, 28, 0x0000_0000_f0f0_f0f0)
}
