//! How near two speech levels are.
//!
//! Korean grammar orders levels by how far they raise the listener, within formal style (하십시오체, 하오체, 하게체,
//! 해라체) and informal style (해요체, which stands for the upper two, and 해체, for the lower two):
//!
//! | level | deference d | style s |
//! |---|---|---|
//! | 하십시오체 | 1 | formal, 1 |
//! | 하오체 | 2/3 | formal, 1 |
//! | 해요체 | 5/6 | informal, 0 |
//! | 하게체 | 1/3 | formal, 1 |
//! | 해체 | 1/6 | informal, 0 |
//! | 해라체 | 0 | formal, 1 |
//!
//! `closeness(a, b) = 1 − (2·|d_a − d_b| + |s_a − s_b|) / 3`, and `agreement = ½·[both raise or neither does] + ½·closeness`.

use crate::SpeechLevel;

impl SpeechLevel {
    /// How far the listener is raised, 0 to 1.
    fn deference(self) -> f64 {
        match self {
            Self::Hapsyo => 1.0,
            Self::Haeyo => 5.0 / 6.0,
            Self::Hao => 2.0 / 3.0,
            Self::Hage => 1.0 / 3.0,
            Self::Hae => 1.0 / 6.0,
            Self::Haera => 0.0,
        }
    }

    /// Whether it belongs to formal style (격식체).
    pub fn is_formal(self) -> bool {
        !matches!(self, Self::Haeyo | Self::Hae)
    }

    /// How near two levels are by deference and style, 0 to 1.
    pub fn closeness(self, other: Self) -> f64 {
        let deference = (self.deference() - other.deference()).abs();
        let style = f64::from(u8::from(self.is_formal() != other.is_formal()));
        1.0 - (2.0 * deference + style) / 3.0
    }

    /// How well two levels agree, 0 to 1: half for raising the listener alike, half for [`closeness`](Self::closeness).
    ///
    /// ```
    /// use ko_register::SpeechLevel::{Hae, Haeyo, Hapsyo};
    ///
    /// assert_eq!(Hapsyo.agreement(Hapsyo), 1.0);
    /// assert!(Hapsyo.agreement(Haeyo) > Haeyo.agreement(Hae));
    /// assert!(Haeyo.agreement(Hae) > Hapsyo.agreement(Hae));
    /// ```
    pub fn agreement(self, other: Self) -> f64 {
        let politeness = f64::from(u8::from(self.is_polite() == other.is_polite()));
        (politeness + self.closeness(other)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_symmetric_bounded_and_whole_only_with_itself() {
        for &a in SpeechLevel::ALL {
            for &b in SpeechLevel::ALL {
                let agreement = a.agreement(b);
                assert!((0.0..=1.0).contains(&agreement), "{a} {b} {agreement}");
                assert_eq!(agreement, b.agreement(a));
                assert_eq!(agreement == 1.0, a == b, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_level_is_nearer_on_its_own_side() {
        use SpeechLevel::*;
        assert!(Hapsyo.agreement(Haeyo) > Hapsyo.agreement(Haera));
        assert!(Hae.agreement(Haera) > Hae.agreement(Haeyo));
    }
}
