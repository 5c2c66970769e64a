//! Sentence after sentence through stages, each of which keeps it, changes it or drops it.
//!
//! | stage | what it does | why it drops |
//! |---|---|---|
//! | [`Unify`](crate::Unify) | makes endings 다. | – |
//! | [`Clean`] | tidies white space | see [`Unfit`](crate::Unfit) |
//! | [`Concepts`] | analyses the sentence and takes its concepts | `too-few`, `too-many` |
//! | [`WithoutTags`] | – | the tag found: `NNP` |
//! | [`WithoutEntities`] | – | the kind found: `PS` |
//!
//! At the end a sentence that came before is dropped as `duplicate`. Sentences stream: only a few
//! thousand are in memory at once, spread over all cores, and the result does not depend on the cores.
//!
//! ```
//! use ko_commongen::{Clean, Pipeline, Source};
//!
//! let sentences = ["비가 온다.", "비가 오니?", "비가 온다. "].map(|s| Ok((Source::Caption, s.to_owned())));
//! let mut kept = Vec::new();
//! let mut sink = |draft: ko_commongen::Draft| {
//!     kept.push(draft.text);
//!     Ok(())
//! };
//! let report = Pipeline::new().stage(Clean::new()).run(sentences, &mut sink, &())?;
//! assert_eq!(kept, ["비가 온다."]);
//! assert_eq!(report.stages[0].dropped["not-a-statement"], 1);
//! assert_eq!(report.stages[1].dropped["duplicate"], 1);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Clean, EntityTagger, Error, Item, Rule, words::words_enum};
use ko_eval_core::{Fingerprint, Result, Signature, Signed, par_map};
use ko_eval_io::Progress;
use ko_eval_model::Entity;
use ko_tokenize::{Morpheme, MorphemeAnalyzer, Tag};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, collections::BTreeMap, fmt, ops::RangeInclusive, sync::Arc};

/// How many sentences are in memory at once.
const CHUNK: usize = 4096;

words_enum! {
    /// Where a sentence comes from; the order is the curriculum's.
    pub enum Source ("source") {
        /// Descriptions of pictures.
        Caption "caption",
        /// Summaries of dialogues.
        Dialogue "dialogue",
    }
}

/// A sentence on its way into the data set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Where it comes from.
    pub source: Source,
    /// The sentence.
    pub text: String,
    /// Its concepts, once [`Concepts`] has found them.
    pub concepts: Vec<String>,
    /// Its morphemes, once [`Concepts`] has found them; not stored.
    #[serde(skip)]
    pub morphemes: Vec<Morpheme<'static>>,
}

impl Draft {
    /// A sentence as it comes.
    pub fn new(source: Source, text: impl Into<String>) -> Self {
        Self { source, text: text.into(), concepts: Vec::new(), morphemes: Vec::new() }
    }

    /// The sentence as an item with one reference.
    ///
    /// # Errors
    /// When it has no concepts or cannot stand in a line.
    pub fn item(&self) -> Result<Item, Error> {
        Item::new(self.concepts.iter().cloned(), [self.text.as_str()])
    }
}

/// What a stage says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    Keep,
    /// It goes on, with another text than before.
    Change,
    /// It ends here, for this reason.
    Drop(Cow<'static, str>),
}

/// One step of the pipeline.
pub trait Stage: Signed + fmt::Debug + Send + Sync {
    /// Looks at a sentence, and may change it.
    ///
    /// # Errors
    /// When the stage itself fails.
    fn apply(&self, draft: &mut Draft) -> Result<Verdict>;

    /// Whether it is faster with many sentences at once.
    fn pace(&self) -> Pace {
        Pace::OneByOne
    }

    /// Looks at many sentences, if its [pace](Stage::pace) says so: a verdict for each.
    ///
    /// # Errors
    /// When the stage itself fails.
    fn apply_all(&self, drafts: &mut [Draft]) -> Result<Vec<Verdict>> {
        drafts.iter_mut().map(|draft| self.apply(draft)).collect()
    }
}

/// How a stage likes its sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Each on any core.
    OneByOne,
    /// Thousands at once, which it shares out itself: a model.
    Together,
}

impl Signed for Clean {
    fn signature(&self) -> Signature {
        Signature::new("clean").with("foreign", self.foreign().join(","))
    }
}

impl Stage for Clean {
    fn apply(&self, draft: &mut Draft) -> Result<Verdict> {
        match self.check(&draft.text) {
            Err(unfit) => return Ok(Verdict::Drop(unfit.as_str().into())),
            Ok(text) if text == draft.text => return Ok(Verdict::Keep),
            Ok(text) => draft.text = text.into_owned(),
        }
        Ok(Verdict::Change)
    }
}

/// Analyses a sentence and takes its concepts.
#[derive(Debug, Clone)]
pub struct Concepts {
    analyzer: Arc<dyn MorphemeAnalyzer>,
    rule: Rule,
    sizes: RangeInclusive<usize>,
}

impl Concepts {
    /// Takes concepts by the rule, over an analyzer: MeCab-ko **without** its left-space penalty, as
    /// published. Sets of any size but 0 are kept.
    pub fn new(analyzer: Arc<dyn MorphemeAnalyzer>, rule: Rule) -> Self {
        Self { analyzer, rule, sizes: 1..=usize::MAX }
    }

    /// Keeps only sets of these sizes.
    ///
    /// # Errors
    /// [`Error::BadSetting`] if there is none, or 0 is among them.
    pub fn sizes(mut self, sizes: RangeInclusive<usize>) -> Result<Self, Error> {
        if sizes.is_empty() || sizes.contains(&0) {
            let value = format!("{} to {}", sizes.start(), sizes.end());
            return Err(Error::BadSetting { name: "sizes", value, expected: "1 or more" });
        }
        self.sizes = sizes;
        Ok(self)
    }
}

impl Signed for Concepts {
    fn signature(&self) -> Signature {
        Signature::new("concepts")
            .with("rule", self.rule)
            .with("sizes", format!("{}-{}", self.sizes.start(), self.sizes.end()))
            .with_nested("tok", &self.analyzer.signature())
    }
}

impl Stage for Concepts {
    fn apply(&self, draft: &mut Draft) -> Result<Verdict> {
        let morphemes = self.analyzer.analyze(&draft.text)?;
        draft.concepts = self.rule.concepts(&draft.text, &morphemes);
        draft.morphemes = morphemes.into_iter().map(owned).collect();
        Ok(match draft.concepts.len() {
            size if size < *self.sizes.start() => Verdict::Drop("too-few".into()),
            size if size > *self.sizes.end() => Verdict::Drop("too-many".into()),
            _ => Verdict::Keep,
        })
    }
}

fn owned(morpheme: Morpheme<'_>) -> Morpheme<'static> {
    Morpheme {
        form: Cow::Owned(morpheme.form.into_owned()),
        tag: Cow::Owned(morpheme.tag.into_owned()),
        span: morpheme.span,
    }
}

/// Drops sentences with morphemes of these tags; stands after [`Concepts`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithoutTags {
    tags: Vec<Tag>,
}

impl WithoutTags {
    /// Drops these.
    pub fn new(tags: impl IntoIterator<Item = Tag>) -> Self {
        Self { tags: tags.into_iter().collect() }
    }

    /// Proper nouns: none of the published sentences has one, though some have numerals and pronouns.
    pub fn as_published_files() -> Self {
        Self::new([Tag::Nnp])
    }

    /// Proper nouns, numerals and pronouns, as the paper says.
    pub fn as_printed() -> Self {
        Self::new([Tag::Nnp, Tag::Nr, Tag::Np])
    }
}

impl Signed for WithoutTags {
    fn signature(&self) -> Signature {
        let tags: Vec<&str> = self.tags.iter().map(|tag| tag.as_str()).collect();
        Signature::new("without-tags").with("tags", tags.join(","))
    }
}

impl Stage for WithoutTags {
    fn apply(&self, draft: &mut Draft) -> Result<Verdict> {
        let mut tags = draft.morphemes.iter().flat_map(Morpheme::tags);
        Ok(match tags.find(|tag| self.tags.contains(tag)) {
            Some(tag) => Verdict::Drop(tag.as_str().into()),
            None => Verdict::Keep,
        })
    }
}

/// Drops sentences with named entities.
#[derive(Debug, Clone)]
pub struct WithoutEntities {
    tagger: Arc<dyn EntityTagger>,
    kinds: Vec<String>,
}

impl WithoutEntities {
    /// Drops sentences in which the tagger finds an entity of these kinds.
    ///
    /// # Errors
    /// When the tagger says which kinds it knows, and one of these is none of them: it would never be found.
    pub fn new<K: Into<String>>(
        tagger: Arc<dyn EntityTagger>,
        kinds: impl IntoIterator<Item = K>,
    ) -> Result<Self> {
        let kinds: Vec<String> = kinds.into_iter().map(Into::into).collect();
        if let Some(known) = tagger.known_kinds()
            && let Some(unknown) = kinds.iter().find(|kind| !known.contains(kind))
        {
            let expected = format!("a kind that the tagger knows: {}", known.join(", "));
            return Err(ko_eval_core::Error::invalid(
                "without-entities",
                "kind",
                unknown,
                expected,
            ));
        }
        Ok(Self { tagger, kinds })
    }
}

impl Signed for WithoutEntities {
    fn signature(&self) -> Signature {
        Signature::new("without-entities")
            .with("dropped", self.kinds.join(","))
            .with_nested("tagger", &self.tagger.signature())
    }
}

impl WithoutEntities {
    fn verdict(&self, entities: Vec<Entity>) -> Verdict {
        match entities.into_iter().find(|entity| self.kinds.contains(&entity.kind)) {
            Some(entity) => Verdict::Drop(entity.kind.into()),
            None => Verdict::Keep,
        }
    }
}

impl Stage for WithoutEntities {
    fn apply(&self, draft: &mut Draft) -> Result<Verdict> {
        Ok(self.verdict(self.tagger.entities(&draft.text)?))
    }

    fn pace(&self) -> Pace {
        Pace::Together
    }

    fn apply_all(&self, drafts: &mut [Draft]) -> Result<Vec<Verdict>> {
        let texts: Vec<&str> = drafts.iter().map(|draft| draft.text.as_str()).collect();
        let found = self.tagger.entities_of(&texts)?;
        Ok(found.into_iter().map(|entities| self.verdict(entities)).collect())
    }
}

/// What a stage did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageReport {
    /// Its name.
    pub stage: String,
    /// How many sentences came through.
    pub kept: usize,
    /// How many of these it gave another text.
    #[serde(default)]
    pub changed: usize,
    /// How many it dropped, by reason.
    pub dropped: BTreeMap<String, usize>,
}

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PipelineReport {
    /// How many sentences came in.
    pub sentences: usize,
    /// Each stage, in order.
    pub stages: Vec<StageReport>,
}

impl fmt::Display for PipelineReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<18} {:>9}", "sentences", self.sentences)?;
        for stage in &self.stages {
            write!(f, "\n{:<18} {:>9}", stage.stage, stage.kept)?;
            if stage.changed > 0 {
                write!(f, "  changed {}", stage.changed)?;
            }
            for (reason, count) in &stage.dropped {
                write!(f, "  {reason} −{count}")?;
            }
        }
        Ok(())
    }
}

/// Stages in order.
#[derive(Debug, Default)]
pub struct Pipeline {
    stages: Vec<Box<dyn Stage>>,
}

impl Pipeline {
    /// No stages yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a stage at the end.
    #[must_use]
    pub fn stage(mut self, stage: impl Stage + 'static) -> Self {
        self.stages.push(Box::new(stage));
        self
    }

    /// Sends sentences through; `sink` gets those that stay, in order.
    ///
    /// # Errors
    /// The first error of the sentences, a stage or the sink.
    pub fn run(
        &self,
        sentences: impl IntoIterator<Item = Result<(Source, String)>>,
        sink: &mut dyn FnMut(Draft) -> Result<()>,
        progress: &dyn Progress,
    ) -> Result<PipelineReport> {
        let names = self.stages.iter().map(|stage| stage.signature().name().to_owned());
        let names = names.chain(["distinct".to_owned()]);
        let mut report = PipelineReport {
            sentences: 0,
            stages: names.map(|stage| StageReport { stage, ..Default::default() }).collect(),
        };
        let mut seen = FxHashSet::default();
        let mut sentences = sentences.into_iter();
        progress.begin("sentences", None);
        loop {
            let chunk: Vec<(Source, String)> =
                sentences.by_ref().take(CHUNK).collect::<Result<_>>()?;
            if chunk.is_empty() {
                return Ok(report);
            }
            for Row { mut dropped, changed, draft } in self.through(&chunk)? {
                if dropped.is_none() && !seen.insert(fingerprint(&draft.text)) {
                    dropped = Some((self.stages.len(), "duplicate".into()));
                }
                report.count(dropped.as_ref(), &changed);
                if dropped.is_none() {
                    sink(draft)?;
                }
            }
            progress.advance(chunk.len() as u64);
        }
    }

    /// Sentences through all stages.
    fn through(&self, chunk: &[(Source, String)]) -> Result<Vec<Row>> {
        let begin = |(source, text): &(Source, String)| Row {
            dropped: None,
            changed: Vec::new(),
            draft: Draft::new(*source, text.as_str()),
        };
        let mut rows: Vec<Row> = chunk.iter().map(begin).collect();
        let mut done = 0;
        for stages in self.stages.chunk_by(|a, b| a.pace() == b.pace()) {
            match stages.first().map(|stage| stage.pace()) {
                Some(Pace::Together) => {
                    for (number, stage) in (done..).zip(stages) {
                        together(&**stage, number, &mut rows)?;
                    }
                }
                _ => {
                    rows = par_map(&rows, |row| {
                        let mut row = row.clone();
                        for (number, stage) in (done..).zip(stages) {
                            if row.dropped.is_none() {
                                let verdict = stage.apply(&mut row.draft)?;
                                row.take(number, verdict);
                            }
                        }
                        Ok(row)
                    })?;
                }
            }
            done += stages.len();
        }
        Ok(rows)
    }
}

/// A sentence among its stages.
#[derive(Debug, Clone)]
struct Row {
    dropped: Option<Dropped>,
    /// The stages that gave it another text.
    changed: Vec<usize>,
    draft: Draft,
}

impl Row {
    fn take(&mut self, stage: usize, verdict: Verdict) {
        match verdict {
            Verdict::Keep => {}
            Verdict::Change => self.changed.push(stage),
            Verdict::Drop(reason) => self.dropped = Some((stage, reason)),
        }
    }
}

/// One stage over all sentences that are still there.
fn together(stage: &dyn Stage, number: usize, rows: &mut [Row]) -> Result<()> {
    let mut left: Vec<&mut Row> = rows.iter_mut().filter(|row| row.dropped.is_none()).collect();
    let take = |row: &mut &mut Row| {
        let empty = Draft::new(row.draft.source, "");
        std::mem::replace(&mut row.draft, empty)
    };
    let mut drafts: Vec<Draft> = left.iter_mut().map(take).collect();
    let verdicts = stage.apply_all(&mut drafts)?;
    if verdicts.len() != drafts.len() {
        return Err(ko_eval_core::Error::LengthMismatch {
            left: "the sentences".into(),
            left_len: drafts.len(),
            right: format!("the verdicts of {}", stage.signature().name()),
            right_len: verdicts.len(),
        });
    }
    for ((row, draft), verdict) in left.into_iter().zip(drafts).zip(verdicts) {
        row.draft = draft;
        row.take(number, verdict);
    }
    Ok(())
}

/// The stage and the reason.
type Dropped = (usize, Cow<'static, str>);

impl Signed for Pipeline {
    fn signature(&self) -> Signature {
        let start = Signature::new("pipeline").with("version", env!("CARGO_PKG_VERSION"));
        self.stages.iter().enumerate().fold(start, |signature, (number, stage)| {
            signature.with_nested((number + 1).to_string(), &stage.signature())
        })
    }
}

impl PipelineReport {
    fn count(&mut self, dropped: Option<&Dropped>, changed: &[usize]) {
        self.sentences += 1;
        for stage in changed {
            self.stages.get_mut(*stage).into_iter().for_each(|stage| stage.changed += 1);
        }
        let passed = dropped.map_or(self.stages.len(), |(number, _)| *number);
        self.stages.iter_mut().take(passed).for_each(|stage| stage.kept += 1);
        if let Some((number, reason)) = dropped
            && let Some(stage) = self.stages.get_mut(*number)
        {
            *stage.dropped.entry(reason.to_string()).or_default() += 1;
        }
    }
}

/// Of 64 bits: sentences are many, and these take less room.
fn fingerprint(text: &str) -> u64 {
    let digest = Fingerprint::new().bytes(text.as_bytes()).digest();
    digest.first_chunk().map_or(0, |start| u64::from_le_bytes(*start))
}
