//! Checksums as text.

use std::fmt::Write as _;

/// Two hexadecimal digits per byte.
pub(crate) fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_are_two_digits_each() {
        assert_eq!(super::hex([0, 0x0a, 0xff]), "000aff");
    }
}
