//! Looking for bytes of a kind in blocks of 64: the answer for a block is a number with one bit for each byte.

/// How many bytes a block has.
pub(crate) const BLOCK: usize = 64;

/// How many blocks a text has. The place after its last byte counts as well, so an empty text has one.
pub(crate) fn count(text: &str) -> usize {
    text.len() / BLOCK + 1
}

/// Calls `each` for every block of a text with the places of the bytes that `is_wanted`; the end of the text is marked, too.
#[inline]
pub(crate) fn each(text: &str, is_wanted: impl Fn(u8) -> bool, mut each: impl FnMut(u64)) {
    let (blocks, rest) = text.as_bytes().as_chunks();
    blocks.iter().for_each(|block| each(found_in(block, &is_wanted)));
    each(found_at_end(text.as_bytes(), rest.len(), is_wanted) | 1 << rest.len());
}

/// For each place in a block, the bit that stands for its row: eight rows of eight places.
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

/// The places of the wanted bytes in a block. Written so that the compiler looks at sixteen bytes with each instruction.
#[inline]
fn found_in(block: &[u8; BLOCK], is_wanted: impl Fn(u8) -> bool) -> u64 {
    let mut found = [0; BLOCK];
    for ((to, &byte), &row) in found.iter_mut().zip(block).zip(&ROWS) {
        *to = if is_wanted(byte) { row } else { 0 };
    }
    let (rows, _) = found.as_chunks();
    turn(rows.iter().fold(0, |all, &row| all | u64::from_le_bytes(row)))
}

/// The same for the last `length` bytes of a text, which are less than a block. They are looked at together with the bytes
/// before them if there are enough of those.
#[inline]
fn found_at_end(text: &[u8], length: usize, is_wanted: impl Fn(u8) -> bool) -> u64 {
    match text.last_chunk() {
        Some(block) => found_in(block, is_wanted).checked_shr((BLOCK - length) as u32).unwrap_or(0),
        None => {
            // No byte that anybody looks for.
            let mut block = [0x80; BLOCK];
            if let Some(to) = block.get_mut(..text.len()) {
                to.copy_from_slice(text);
            }
            found_in(&block, is_wanted)
        }
    }
}

/// Transposes eight rows of eight bits: what was bit *i* of byte *j* is now bit *j* of byte *i*.
#[inline]
fn turn(bits: u64) -> u64 {
    // Swaps the two quarters off the diagonal, in larger and larger squares.
    let swap = |bits: u64, distance: u32, mask: u64| {
        let differing = (bits ^ bits >> distance) & mask;
        bits ^ differing ^ differing << distance
    };
    let bits = swap(bits, 7, 0x00aa_00aa_00aa_00aa);
    let bits = swap(bits, 14, 0x0000_cccc_0000_cccc);
    swap(bits, 28, 0x0000_0000_f0f0_f0f0)
}
