//! Statistics that travel: of part of a corpus, or of each of its segments; with a digest, so that a change on the way is noticed.

use crate::{Error, Fingerprint, Result, Segment, Signature};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Statistics of part of a corpus, with the signature of the metric they belong to.
///
/// What is read from a file is believed only where it can be true: the digest must be that of the rest, the metric checks its own statistics, and no
/// count may be beyond 2⁵³. Files that were written before there were digests, or before the unit was under them, are read, and checked in all other ways.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Shard {
    /// Whose statistics these are.
    pub signature: Signature,
    /// What the texts were cut into as somebody asked for it, where that is told; see [`Shard::with_unit`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How many segments they cover.
    pub segments: usize,
    /// The least and the greatest number of references of a segment.
    pub references: References,
    /// The statistics.
    pub stats: Value,
    /// A checksum of all of the above; see [`Shard::sealed`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// The statistics of each segment of a corpus, with the signature of the metric they belong to: enough for segment scores,
/// intervals and paired tests at another time, without the texts. They are believed as those of a [`Shard`] are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Statistics {
    /// Whose statistics these are.
    pub signature: Signature,
    /// The least and the greatest number of references of a segment.
    pub references: References,
    /// The statistics of each segment.
    pub segments: Vec<Value>,
    /// A checksum of all of the above; see [`Statistics::sealed`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

impl Shard {
    /// The same with the name of its unit as somebody asked for it (`mecab`, where the signature has `mecab-ko@2.1.1`), under a digest that covers it.
    ///
    /// ```
    /// use ko_eval_core::Shard;
    /// # let json = r#"{"signature": "BLEU", "segments": 0, "references": {"least": 18446744073709551615, "most": 0}, "stats": null}"#;
    /// # let shard: Shard = serde_json::from_str(json)?;
    ///
    /// let over_morphemes = shard.clone().with_unit(Some("mecab".into()));
    /// assert_ne!(over_morphemes.digest, shard.with_unit(Some("word".into())).digest);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn with_unit(self, unit: Option<String>) -> Self {
        Self { unit, ..self }.sealed()
    }

    /// The same with the digest of what it holds: for whoever changes one on purpose.
    #[must_use]
    pub fn sealed(self) -> Self {
        let digest = Some(self.own_digest());
        Self { digest, ..self }
    }

    fn own_digest(&self) -> String {
        match &self.unit {
            Some(unit) => self.digest_of_numbers().text("unit").text(unit).short(),
            None => self.digest_of_numbers().short(),
        }
    }

    /// Of all but the unit: what files state in which it was not covered.
    fn digest_of_numbers(&self) -> Fingerprint {
        let begin = begin(&self.signature, self.references).text(&self.segments.to_string());
        value(begin, &self.stats)
    }

    /// Whether it is as it was written.
    pub(crate) fn verify(&self) -> Result<()> {
        // A digest over the unit never is one without it, so what older files state hides no change of newer ones.
        if self.digest.as_ref().is_none_or(|stated| *stated != self.digest_of_numbers().short()) {
            compare(self.digest.as_deref(), || self.own_digest())?;
        }
        self.references.check(self.segments)
    }
}

impl Statistics {
    pub(crate) fn new(signature: Signature, references: References, segments: Vec<Value>) -> Self {
        Self { signature, references, segments, digest: None }.sealed()
    }

    /// The same with the digest of what it holds: for whoever changes one on purpose.
    #[must_use]
    pub fn sealed(self) -> Self {
        let digest = Some(self.own_digest());
        Self { digest, ..self }
    }

    fn own_digest(&self) -> String {
        self.segments.iter().fold(begin(&self.signature, self.references), value).short()
    }

    /// Whether they are as they were written.
    pub(crate) fn verify(&self) -> Result<()> {
        compare(self.digest.as_deref(), || self.own_digest())?;
        self.references.check(self.segments.len())
    }
}

fn compare(stated: Option<&str>, own: impl Fn() -> String) -> Result<()> {
    match stated.map(|stated| (stated, own())) {
        Some((stated, own)) if stated != own => Err(Error::BadShard {
            reason: format!("it was changed: its digest is {own}, and it states `{stated}`"),
        }),
        _ => Ok(()),
    }
}

fn begin(signature: &Signature, references: References) -> Fingerprint {
    let References { least, most } = references;
    Fingerprint::new().text(&signature.to_string()).text(&format!("{least}-{most}"))
}

/// Adds a value, whatever the order of its fields.
fn value(fingerprint: Fingerprint, json: &Value) -> Fingerprint {
    match json {
        Value::Array(items) => {
            items.iter().fold(fingerprint.text(&format!("[{}", items.len())), value)
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            let begin = fingerprint.text(&format!("{{{}", fields.len()));
            fields.into_iter().fold(begin, |all, (name, field)| value(all.text(name), field))
        }
        // By its bits: how a fraction is spelt is up to whoever writes it.
        Value::Number(number) if number.is_f64() => {
            let bits = number.as_f64().unwrap_or_default().to_bits();
            fingerprint.text(&format!("f{bits:x}"))
        }
        plain => fingerprint.text(&plain.to_string()),
    }
}

/// The least and the greatest number of references of a segment; neutral for no segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct References {
    /// The fewest.
    pub least: usize,
    /// The most.
    pub most: usize,
}

impl Default for References {
    fn default() -> Self {
        Self { least: usize::MAX, most: 0 }
    }
}

impl References {
    pub(crate) fn of(segments: &[Segment<'_>]) -> Self {
        segments
            .iter()
            .map(|s| s.references().len())
            .fold(Self::default(), |all, n| all.merge(Self { least: n, most: n }))
    }

    pub(crate) fn merge(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// Whether so many segments can have them.
    pub(crate) fn check(self, segments: usize) -> Result<()> {
        match (segments == 0) == (self == Self::default())
            && (segments == 0 || self.least <= self.most)
        {
            true => Ok(()),
            false => Err(Error::BadShard {
                reason: format!(
                    "{segments} segments cannot have {} to {} references",
                    self.least, self.most
                ),
            }),
        }
    }

    pub(crate) fn sign(self, signature: Signature) -> Signature {
        if self.least == self.most {
            signature.with("nrefs", self.most)
        } else {
            signature.with("nrefs", format!("{}-{}", self.least, self.most))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shard() -> Shard {
        let references = References { least: 1, most: 2 };
        let stats = json!({"sum": [0.1, 0.25], "segments": 3});
        let signature = Signature::new("x");
        Shard { signature, unit: None, segments: 3, references, stats, digest: None }
    }

    #[test]
    fn what_was_changed_is_noticed() {
        let whole = shard().sealed();
        assert!(whole.verify().is_ok());
        let written = serde_json::to_string(&whole).unwrap();
        let read = |text: &str| serde_json::from_str::<Shard>(text);
        assert!(read(&written).unwrap().verify().is_ok());
        for (from, to) in [
            ("0.1", "0.2"),
            ("0.25", "0.5"),
            ("\"segments\":3,\"sum\"", "\"segments\":4,\"sum\""),
            ("\"most\":2", "\"most\":3"),
            (r#""x""#, r#""y""#),
        ] {
            let changed = written.replace(from, to);
            assert_ne!(changed, written, "{from}");
            let error = read(&changed).unwrap().verify().unwrap_err().to_string();
            assert!(error.contains("it was changed"), "{error}");
        }
        assert!(read(&written.replace("\"stats\"", "\"stat\"")).is_err());
        assert!(read(&written.replacen('{', "{\"more\":1,", 1)).is_err());
    }

    #[test]
    fn the_unit_is_under_the_digest() {
        let whole = shard().with_unit(Some("mecab".into()));
        assert!(whole.verify().is_ok());
        for unit in [Some("word".to_owned()), Some(String::new()), None] {
            let error = Shard { unit, ..whole.clone() }.verify().unwrap_err().to_string();
            assert!(error.contains("it was changed"), "{error}");
        }
        // As files were written in which the unit stood beside what the digest covers.
        let older = Shard { unit: Some("mecab".into()), ..shard().sealed() };
        assert!(older.verify().is_ok());
        let stats = json!({"sum": [0.1, 0.5], "segments": 3});
        assert!(Shard { stats, ..older }.verify().is_err());
    }

    #[test]
    fn files_without_a_digest_are_checked_otherwise() {
        assert!(shard().verify().is_ok());
        for (segments, least, most) in [(0, 1, 2), (3, 2, 1), (3, usize::MAX, 0)] {
            let odd = Shard { segments, references: References { least, most }, ..shard() };
            assert!(odd.verify().is_err(), "{segments} {least} {most}");
        }
    }

    #[test]
    fn the_order_of_fields_is_no_change() {
        let other = json!({"segments": 3, "sum": [0.1, 0.25]});
        assert_eq!(Shard { stats: other, ..shard() }.sealed().digest, shard().sealed().digest);
    }
}
