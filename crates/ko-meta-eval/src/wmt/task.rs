//! What is measured of a test set.

use super::{Grouping, Scope, Statistic};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A statistic of segments or of whole systems: `segment:calibrated-accuracy:item`.
///
/// ```
/// use ko_meta_eval::wmt::{Grouping, Scope, Statistic, Task};
///
/// let task: Task = "segment:pearson:system".parse()?;
/// assert_eq!((task.scope, task.statistic, task.grouping), (Scope::Segment, Statistic::Pearson, Grouping::System));
/// assert_eq!("system:spearman".parse::<Task>()?.to_string(), "system:spearman");
/// assert!("segment:rouge".parse::<Task>().is_err());
/// # Ok::<(), ko_meta_eval::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What has a score.
    pub scope: Scope,
    /// How agreement is measured.
    pub statistic: Statistic,
    /// Which scores are compared with each other.
    pub grouping: Grouping,
}

impl Task {
    const fn new(scope: Scope, statistic: Statistic, grouping: Grouping) -> Self {
        Self { scope, statistic, grouping }
    }

    /// Of 2024 and 2025: soft pairwise accuracy of systems, and calibrated accuracy of segments by item.
    pub const WMT24: [Self; 2] = [
        Self::new(Scope::System, Statistic::SoftPairwiseAccuracy, Grouping::Global),
        Self::new(Scope::Segment, Statistic::CalibratedAccuracy, Grouping::Item),
    ];

    /// Of 2023: pairwise accuracy of systems over all language pairs together, which counts as much as all pairs do in each of the others;
    /// Pearson's r of systems and of segments, calibrated accuracy of segments by item.
    pub const WMT23: [Self; 4] = [
        Self::new(Scope::System, Statistic::PairwiseAccuracy, Grouping::Global),
        Self::new(Scope::System, Statistic::Pearson, Grouping::Global),
        Self::new(Scope::Segment, Statistic::Pearson, Grouping::Global),
        Self::new(Scope::Segment, Statistic::CalibratedAccuracy, Grouping::Item),
    ];

    /// Whether all language pairs are one task.
    pub fn is_pooled(self) -> bool {
        self.scope == Scope::System && self.statistic == Statistic::PairwiseAccuracy
    }

    /// Whose scores it looks at: soft pairwise accuracy is of systems, but made of segments.
    pub fn scores(self) -> Scope {
        match self.statistic {
            Statistic::SoftPairwiseAccuracy => Scope::Segment,
            _ => self.scope,
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scope = match self.scope {
            Scope::Segment => "segment",
            Scope::System => "system",
        };
        write!(f, "{scope}:{}", self.statistic)?;
        match self.grouping {
            Grouping::Global => Ok(()),
            grouping => write!(f, ":{grouping}"),
        }
    }
}

impl FromStr for Task {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            let expected = "SCOPE:STATISTIC[:GROUPING], such as segment:pearson:item or system:soft-pairwise-accuracy";
            Error::invalid("task", text, expected)
        };
        let mut parts = text.split(':').map(str::trim);
        let scope = match parts.next() {
            Some("segment" | "seg") => Scope::Segment,
            Some("system" | "sys") => Scope::System,
            _ => return Err(wrong()),
        };
        let statistic: Statistic = parts.next().ok_or_else(wrong)?.parse()?;
        let grouping = parts.next().map(str::parse).transpose()?.unwrap_or_default();
        let whole = statistic == Statistic::SoftPairwiseAccuracy;
        if parts.next().is_some()
            || (whole && scope == Scope::Segment)
            || (scope == Scope::System && grouping != Grouping::Global)
        {
            return Err(wrong());
        }
        Ok(Self { scope, statistic, grouping })
    }
}
