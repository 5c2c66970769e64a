//! SmileStyle by dialogue.

use anyhow::{Context as _, Result};
use std::path::Path;

/// One utterance in three styles; the last where the corpus has it.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) formal: String,
    pub(crate) informal: String,
    pub(crate) gentle: Option<String>,
}

/// Lines of dialogues; one dialogue's lines are all in one part.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) train: Vec<Line>,
    pub(crate) dev: Vec<Line>,
    pub(crate) test: Vec<Line>,
}

/// Reads the table; an empty row ends a dialogue. Every tenth dialogue is for testing, the next for development.
/// Lines whose two styles are the same text say nothing and are left out.
pub(crate) fn smile_style(data: &Path) -> Result<Parts> {
    let path = data.join("smilestyle/smilestyle_dataset.tsv");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut rows = text.lines();
    let header: Vec<&str> = rows.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let place = header.iter().position(|column| *column == name);
        place.with_context(|| format!("{}: no column `{name}`", path.display()))
    };
    let (formal, informal, gentle) = (column("formal")?, column("informal")?, column("gentle")?);
    let mut parts = Parts::default();
    let mut dialogue = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
        let cell = |place: usize| cells.get(place).copied().unwrap_or_default();
        let (formal, informal) = (cell(formal), cell(informal));
        if formal.is_empty() && informal.is_empty() {
            dialogue += 1;
            continue;
        }
        if formal.is_empty() || informal.is_empty() || formal == informal {
            continue;
        }
        let part = match dialogue % 10 {
            0 => &mut parts.test,
            1 => &mut parts.dev,
            _ => &mut parts.train,
        };
        part.push(Line {
            formal: formal.to_owned(),
            informal: informal.to_owned(),
            gentle: Some(cell(gentle).to_owned()).filter(|text| !text.is_empty()),
        });
    }
    Ok(parts)
}
