//! Numbers as bytes: small ones, which most are, take one.

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
pub(super) fn write(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for mut number in numbers {
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    bytes
}

/// What [`write`] wrote; of any other bytes, some numbers.
pub(super) fn read(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let mut bytes = bytes.iter();
    std::iter::from_fn(move || {
        let mut number = 0_u32;
        for shift in (0..32).step_by(7) {
            let byte = *bytes.next()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Some(number)
    })
}

/// How far it is from one place to another, either way, as a number that is small where it is near.
pub(super) fn step(from: u32, to: u32) -> u32 {
    let way = to.wrapping_sub(from).cast_signed();
    (way << 1 ^ way >> 31).cast_unsigned()
}

/// Where such a step leads.
pub(super) fn stepped(from: u32, step: u32) -> u32 {
    from.wrapping_add(step >> 1 ^ (step & 1).wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<u32>(), 0..20)) {
            prop_assert_eq!(read(&write(numbers.iter().copied())).collect::<Vec<_>>(), numbers);
        }

        #[test]
        fn steps_lead_there(from: u32, to: u32) {
            prop_assert_eq!(stepped(from, step(from, to)), to);
        }

        #[test]
        fn any_bytes_are_numbers(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert!(read(&bytes).count() <= bytes.len());
        }
    }

    #[test]
    fn what_is_near_is_small() {
        assert_eq!([(7, 7), (7, 6), (7, 8), (7, 5)].map(|(from, to)| step(from, to)), [0, 1, 2, 3]);
        assert_eq!(write([0, 127, 128]), [0, 127, 128, 1]);
    }
}
