//! NumPy's file of a matrix, version 1.0: a header in ASCII, then the numbers.

use ko_eval::Embeddings;

/// The header's length is a multiple of this, so that the numbers can be mapped into memory.
const ALIGNMENT: usize = 64;

/// The bytes of a matrix of little-endian 32-bit numbers, row after row.
pub(crate) fn bytes(matrix: &Embeddings) -> Vec<u8> {
    let (rows, columns) = (matrix.len(), matrix.dim());
    let mut header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    const BEFORE: usize = 10;
    let padded = (BEFORE + header.len() + 1).next_multiple_of(ALIGNMENT);
    header.extend(std::iter::repeat_n(' ', padded - BEFORE - header.len() - 1));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    // Two sizes of at most twenty digits: far below the limit.
    bytes.extend(u16::try_from(header.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(matrix.as_slice().iter().flat_map(|number| number.to_le_bytes()));
    bytes
}
