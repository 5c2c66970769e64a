//! What the metrics are made of: units as numbers, counts of n-grams, distances, subsequences. Nothing here knows a metric.

pub(crate) mod cut;
pub(crate) mod edit_distance;
pub(crate) mod edit_path;
pub(crate) mod empty;
pub(crate) mod joined;
pub(crate) mod lcs;
pub(crate) mod ngrams;
pub(crate) mod numbering;
pub(crate) mod order;
pub(crate) mod positions;
pub(crate) mod shared;
pub(crate) mod spare;
pub(crate) mod units;
