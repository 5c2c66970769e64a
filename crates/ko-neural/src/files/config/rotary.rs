//! What bounds a table of rotations, and what cannot be in one.

use super::Settings;
use crate::error::Result;
use serde_json::Value;

/// Angles in a table of rotations, which no file of weights bounds: a quarter of a million positions of heads that are 64 wide.
const MOST_ANGLES: i64 = 1 << 24;

/// Refuses more positions than a table should have for heads of this width.
pub(super) fn check_positions(file: &Settings, head: i64) -> Result<()> {
    let keys = ["max_position_embeddings"];
    let positions = file.size(&keys, None)?;
    if positions.checked_mul(head).is_none_or(|angles| angles > MOST_ANGLES) {
        let most = MOST_ANGLES / head;
        let reason = format!("expected at most {most} for heads that are {head} wide");
        return Err(file.bad(&keys, reason));
    }
    Ok(())
}

/// Refuses rotations that are scaled, in either spelling of their kind; `key` is where the settings stand.
pub(super) fn check_kind(file: &Settings, key: &str, settings: &Value) -> Result<()> {
    let part = |name: &str| settings.get(name).filter(|value| !value.is_null());
    match part("rope_type").or_else(|| part("type")) {
        Some(kind) if kind != "default" => {
            Err(file.bad(&[key], format!("unknown kind `{kind}`; known: default")))
        }
        _ => Ok(()),
    }
}
