//! Korean CommonGen written by models of our own: a BART from nothing, and a decoder over the Korean ALBERT.
//!
//! Sentences are drawn anew in every epoch: in the published order, captions first, a model that has never seen Korean would forget them over
//! half an epoch of dialogue summaries. Every system is scored on the test set by the published columns: its likeliest sentence, the
//! candidate that covers most concepts, and what beams write that must use all of them.

use crate::{Context, MINUTES_OF_WRITERS, progress, report::Check};
use anyhow::{Context as _, Result};
use ko_commongen::{
    BadLines, Candidates, Columns, Evaluator, Inflections, Item, Pairs, Protocol, Reranker,
    read_items,
    split::{HIGH_LEVEL_SEEDS, high_level},
};
use ko_eval_core::{Candidate, Decoding, Prompt, generate::generate_kept};
use ko_neural::{
    Precision, TextGenerator,
    read::damaged,
    train::{
        GeneratorSettings, Pace, Shape, Start, SummarizerSettings, TextPair, TrainingBuilder,
        train_generator, train_summarizer,
    },
};
use ko_tokenize::{MorphemeAnalyzer, analyzer_by_name};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// Pieces of the new vocabulary: few, so that a concept mostly has the pieces that it has within a sentence's words.
const VOCABULARY: usize = 2_500;
/// Ten million numbers with such a vocabulary.
const SHAPE: Shape = Shape::Bart { width: 288, layers: 4, heads: 4, longest: 256 };
/// Of so many training sentences one selects the best weights instead: 300 of all.
const DEV: usize = 144;
/// The most tokens of a concept set and of a sentence.
const LONGEST: usize = 64;
/// Forms of a concept that a constrained search may choose from, beside the concept itself.
const FORMS: usize = 8;
/// When a training on two cores ends on a slow machine, wherever it is; two free cores are done before.
const LIMIT: Duration = Duration::from_secs(38 * 60);
/// What stands between concepts: with spaces, so that a concept has the pieces that it has in a sentence.
const BETWEEN: &str = " # ";
/// The models' folders.
const FROM_NOTHING: &str = "commongen-bart";
const RESTORING: &str = "commongen-bart-restoring";
const OVER_ALBERT: &str = "commongen-albert";
/// The published systems, as files of the folder `systems`.
const PUBLISHED: [&str; 4] = ["KoGPT2", "KoBART", "mBART_50", "mT5_large"];

/// A BART of ten million numbers that knew nothing.
pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let set = DataSet::read(context)?;
    let folder = from_nothing(context, &set)?;
    let mut checks = Judge::new(context, &set)?.table("BART from nothing", &folder)?;
    checks.push(context.timely(&[RESTORING, FROM_NOTHING], MINUTES_OF_WRITERS)?);
    Ok(checks)
}

/// The Korean ALBERT below a new decoder, each with an optimiser of its own: what is pretrained must not learn as fast as what is not.
pub(crate) fn prove_albert(context: &Context) -> Result<Vec<Check>> {
    let set = DataSet::read(context)?;
    // As much as it reads in the time of the others: every third sentence.
    let train = texts(set.train.iter().step_by(3));
    let dev = texts(&set.dev);
    let pace = |learning_rate| Pace { learning_rate, warm_up_steps: 200 };
    let settings = SummarizerSettings {
        layers: 3,
        width: Some(256),
        encoder: pace(7e-4),
        decoder: pace(1e-2),
        longest_document: LONGEST,
        longest_summary: LONGEST,
    };
    let folder = context.trained(
        OVER_ALBERT,
        |builder| limited(context, builder).batch(16),
        |folder, training| {
            let (train, dev) = (pairs(&train), pairs(&dev));
            train_summarizer(&context.backbone, &train, &dev, folder, &settings, training)
        },
    )?;
    let mut checks = Judge::new(context, &set)?.table("ALBERT below a new decoder", &folder)?;
    checks.push(context.timely(&[OVER_ALBERT], MINUTES_OF_WRITERS)?);
    Ok(checks)
}

/// The model from nothing goes on with every other set, of which each lacks one concept, by each of the five published seeds; and once with
/// the same sets whole, since going on changes it as well.
pub(crate) fn prove_deletion(context: &Context) -> Result<Vec<Check>> {
    let set = DataSet::read(context)?;
    let start = Start::Pretrained(from_nothing(context, &set)?);
    let judge = Judge::new(context, &set)?;
    let go_on = |what: &str, items: &[Item]| -> Result<Columns> {
        let name = without_one(what);
        let recipe =
            |builder: TrainingBuilder| builder.learning_rate(3e-4).time_limit(limit(context) / 6);
        let sets = (texts(items), texts(&set.dev));
        let folder = train(context, &name, &start, &sets, recipe)?;
        judge.columns(likeliest(&judge.candidates(&folder, &judge.prompts())?)?)
    };
    let sets: Vec<Item> = set.train.iter().step_by(2).cloned().collect();
    let whole = go_on("none", &sets)?;
    let deleted = HIGH_LEVEL_SEEDS
        .iter()
        .map(|&seed| go_on(&seed.to_string(), &high_level(&sets, seed)?))
        .collect::<Result<Vec<_>>>()?;
    print_head();
    print_row("whole sets", &whole);
    for (seed, columns) in HIGH_LEVEL_SEEDS.iter().zip(&deleted) {
        print_row(&format!("one concept deleted, seed {seed}"), columns);
    }
    let spreads = Columns::NAMES.iter().enumerate().flat_map(|(place, name)| {
        let values = deleted.iter().filter_map(|row| row.values().get(place).copied());
        Check::spread(name, &values.collect::<Vec<_>>())
    });
    let mut checks: Vec<Check> = spreads.collect();
    let mut names: Vec<String> = HIGH_LEVEL_SEEDS.iter().map(without_one).collect();
    names.push(without_one("none"));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    checks.push(context.timely(&names, MINUTES_OF_WRITERS)?);
    Ok(checks)
}

/// The folder of a model that learned without one concept of every set, by what chose it.
fn without_one(seed: impl std::fmt::Display) -> String {
    format!("commongen-deletion-{seed}")
}

/// First it restores sentences from what noise leaves of them, as BART's authors begin: so it learns to use what it reads, which it hardly
/// does after as many steps on concepts alone.
fn from_nothing(context: &Context, set: &DataSet) -> Result<PathBuf> {
    let recipe = |builder: TrainingBuilder| builder.learning_rate(1e-3);
    let start = Start::New { shape: SHAPE, vocabulary: VOCABULARY };
    let sentences = (restoring(&set.train), restoring(&set.dev));
    let start = Start::Pretrained(train(context, RESTORING, &start, &sentences, recipe)?);
    let writing = (texts(&set.train), texts(&set.dev));
    train(context, FROM_NOTHING, &start, &writing, |builder| recipe(builder).epochs(3))
}

/// Sentences to be restored.
fn restoring(items: &[Item]) -> Texts {
    let sentences: Vec<String> = texts(items).into_iter().map(|(_, sentence)| sentence).collect();
    damaged(&sentences, BETWEEN, 1).into_iter().zip(sentences).collect()
}

/// Sources and targets.
type Texts = Vec<(String, String)>;

fn train(
    context: &Context,
    name: &str,
    start: &Start,
    (train, dev): &(Texts, Texts),
    recipe: impl Fn(TrainingBuilder) -> TrainingBuilder,
) -> Result<PathBuf> {
    let settings = GeneratorSettings {
        longest_source: LONGEST,
        longest_target: LONGEST,
        in_order: false,
        ..GeneratorSettings::default()
    };
    context.trained(
        name,
        |builder| recipe(limited(context, builder).batch(32)),
        |folder, training| {
            train_generator(start, &pairs(train), &pairs(dev), folder, &settings, training)
        },
    )
}

/// What all trainings here share.
fn limited(context: &Context, builder: TrainingBuilder) -> TrainingBuilder {
    builder.evaluations(4).time_limit(limit(context))
}

/// One core has as much to do as two, and takes twice as long.
fn limit(context: &Context) -> Duration {
    LIMIT * 2 / u32::try_from(context.threads.max(1)).unwrap_or(1)
}

fn source(item: &Item) -> String {
    item.concepts().join(BETWEEN)
}

fn texts<'i>(items: impl IntoIterator<Item = &'i Item>) -> Texts {
    let of_one = |item| references(item).map(|reference| (source(item), reference.to_owned()));
    items.into_iter().flat_map(of_one).collect()
}

fn pairs(texts: &[(String, String)]) -> Vec<TextPair<'_>> {
    texts.iter().map(|(source, target)| TextPair { source, target }).collect()
}

fn references(item: &Item) -> impl Iterator<Item = &str> {
    item.references().iter().map(String::as_str)
}

/// The published data.
struct DataSet {
    train: Vec<Item>,
    dev: Vec<Item>,
    test: Vec<Item>,
}

impl DataSet {
    fn read(context: &Context) -> Result<Self> {
        let read = |name: &str| -> Result<Vec<Item>> {
            let path = context.data.join("commongen/dataset").join(name);
            Ok(context.some(read_items(&path, BadLines::Refuse)?.into_values()))
        };
        let [first, second] = ["dialogue_summary_train.jsonl", "image_caption_train.jsonl"];
        let (mut train, mut dev) = (Vec::new(), Vec::new());
        for (place, item) in read(first)?.into_iter().chain(read(second)?).enumerate() {
            if place % DEV == DEV / 2 { dev.push(item) } else { train.push(item) }
        }
        Ok(Self { train, dev, test: read("test.jsonl")? })
    }
}

/// Scores systems on the test set.
struct Judge<'s> {
    context: &'s Context,
    set: &'s DataSet,
    analyzer: Arc<dyn MorphemeAnalyzer>,
}

impl<'s> Judge<'s> {
    fn new(context: &'s Context, set: &'s DataSet) -> Result<Self> {
        Ok(Self { context, set, analyzer: analyzer_by_name("mecab")? })
    }

    /// Prints a model's rows below those of the published systems.
    fn table(&self, what: &str, folder: &Path) -> Result<Vec<Check>> {
        let free = self.candidates(folder, &self.prompts())?;
        let forced = self.candidates(folder, &self.demanding_prompts()?)?;
        let alone = self.columns(likeliest(&free)?)?;
        let reranked = self.columns(self.covering(free)?)?;
        let constrained = self.columns(self.covering(forced)?)?;
        print_head();
        for system in PUBLISHED {
            let file = format!("commongen/systems/{system}.txt");
            let text = std::fs::read_to_string(self.context.data.join(file))?;
            let sentences = self.context.some(text.lines().map(str::to_owned));
            print_row(system, &self.columns(sentences)?);
        }
        print_row(&format!("{what}: likeliest"), &alone);
        print_row(&format!("{what}: re-ranked"), &reranked);
        print_row(&format!("{what}: constrained"), &constrained);
        Ok(vec![
            Check::figure("Coverage of the likeliest", alone.coverage),
            Check::above("Coverage re-ranked", reranked.coverage, alone.coverage.next_up()),
            Check::above("Coverage with constrained beams", constrained.coverage, 95.0),
        ])
    }

    fn prompts(&self) -> Vec<Prompt<'static>> {
        self.set.test.iter().map(|item| Prompt::new(source(item))).collect()
    }

    /// The same where each concept must be used, as it stands or in a word of the training set.
    fn demanding_prompts(&self) -> Result<Vec<Prompt<'static>>> {
        let concepts = self.set.test.iter().flat_map(|item| item.concepts());
        let concepts: BTreeSet<&str> = concepts.map(String::as_str).collect();
        let sentences: Vec<&str> = self.set.train.iter().flat_map(references).collect();
        // As the concepts were cut.
        let analyzer = analyzer_by_name("mecab:penalty=off")?;
        let forms = Inflections::learn(&*analyzer, &concepts, &sentences, &*progress())?;
        let demand =
            |prompt: Prompt<'static>, concept: &String| prompt.must_use(forms.of(concept, FORMS));
        // Some words stand in letters that a vocabulary lacks.
        let prompts = self.set.test.iter().zip(self.prompts().into_iter().map(Prompt::or_freely));
        Ok(prompts.map(|(item, prompt)| item.concepts().iter().fold(prompt, demand)).collect())
    }

    fn candidates(&self, folder: &Path, prompts: &[Prompt<'_>]) -> Result<Vec<Vec<Candidate>>> {
        let inference = self.context.inference().precision(Precision::F32);
        let model = TextGenerator::open(folder, &inference)?;
        // The paper's search, every beam a candidate; its lengths are of other tokens.
        let paper = Decoding::commongen().with_candidates(10);
        let decoding = Decoding { min_tokens: 4, max_tokens: 40, ..paper };
        let demanding = prompts.iter().any(|prompt| !prompt.required.is_empty());
        let kept = folder.join(if demanding { "constrained" } else { "free" });
        let start = Instant::now();
        let all = generate_kept(&model, prompts, &decoding, Some(&kept), &*progress())?;
        println!(
            "{}: {} prompts in {:.0} s, {} without a word that was asked for",
            kept.display(),
            all.len(),
            start.elapsed().as_secs_f64(),
            prompts
                .iter()
                .zip(&all)
                .filter(|(prompt, answers)| lacks_words(prompt, answers))
                .count()
        );
        Ok(all)
    }

    /// The candidate of every set that covers most of it.
    fn covering(&self, candidates: Vec<Vec<Candidate>>) -> Result<Vec<String>> {
        let reranker = Reranker::new(Arc::clone(&self.analyzer));
        let choose = |(item, candidates): (&Item, Vec<Candidate>)| {
            let concept_set = item.concept_set();
            Ok(reranker.choose(&Candidates { concept_set, candidates })?.text)
        };
        self.set.test.iter().zip(candidates).map(choose).collect()
    }

    fn columns(&self, sentences: Vec<String>) -> Result<Columns> {
        let pairs = Pairs::new(self.set.test.clone(), sentences)?;
        let evaluator = Evaluator::new(Arc::clone(&self.analyzer), Protocol::Paper);
        Ok(evaluator.evaluate(&pairs, &())?.columns)
    }
}

fn likeliest(candidates: &[Vec<Candidate>]) -> Result<Vec<String>> {
    let text = |all: &Vec<Candidate>| Some(all.first()?.text.clone());
    candidates.iter().map(text).collect::<Option<_>>().context("a prompt without an answer")
}

fn lacks_words(prompt: &Prompt<'_>, answers: &[Candidate]) -> bool {
    let uses = |forms: &Vec<String>| {
        answers.iter().all(|answer| forms.iter().any(|form| answer.text.contains(form)))
    };
    !prompt.required.iter().all(uses)
}

fn print_head() {
    println!("| system | {} |", Columns::NAMES.join(" | "));
    println!("|---|{}", "---:|".repeat(Columns::NAMES.len()));
}

fn print_row(system: &str, columns: &Columns) {
    let cells = columns.values().map(|value| format!("{value:.2}"));
    println!("| {system} | {} |", cells.join(" | "));
}
