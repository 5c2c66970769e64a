//! Products of matrices.

/// Adds to `sum`, which has as many rows as `left`, the product of `left` and `right`; all row by row. `inner` is the
/// length of a row of `left`, and the number of rows of `right`.
///
/// Slices that do not fit together are cut down to whole rows that do.
pub(super) fn add_product(left: &[f32], right: &[f32], inner: usize, sum: &mut [f32]) {
    let columns = right.len().checked_div(inner).unwrap_or(0);
    let rows = (left.len().checked_div(inner).unwrap_or(0))
        .min(sum.len().checked_div(columns).unwrap_or(0));
    if rows == 0 {
        return;
    }
    let (row_of_left, row_of_right) = (inner as isize, columns as isize);
    // SAFETY: the strides are those of matrices stored row by row without gaps. `left` holds `rows` × `inner` numbers, `right`
    // `inner` × `columns`, `sum` `rows` × `columns`, by the divisions above; `sum` is borrowed mutably, so it overlaps neither.
    #[allow(unsafe_code)]
    unsafe {
        matrixmultiply::sgemm(
            rows,
            inner,
            columns,
            1.0,
            left.as_ptr(),
            row_of_left,
            1,
            right.as_ptr(),
            row_of_right,
            1,
            1.0,
            sum.as_mut_ptr(),
            row_of_right,
            1,
        );
    }
}

/// The matrix with its rows as columns; `columns` is the length of a row.
pub(super) fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    (0..columns).flat_map(|column| matrix.iter().skip(column).step_by(columns)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_added() {
        let (left, right) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 1.0, 2.0, 2.0]);
        let mut sum = [10.0, 20.0, 30.0, 40.0];
        add_product(&left, &right, 3, &mut sum);
        assert_eq!(sum, [17.0, 28.0, 46.0, 57.0]);
        assert_eq!(transposed(&left, 3), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    }

    #[test]
    fn nothing_is_touched_beyond_whole_rows() {
        let mut sum = [0.0; 3];
        add_product(&[1.0, 1.0, 1.0], &[1.0; 5], 2, &mut sum);
        assert_eq!(sum, [2.0, 2.0, 0.0]);
        add_product(&[], &[], 0, &mut sum);
        assert_eq!(sum, [2.0, 2.0, 0.0]);
    }
}
