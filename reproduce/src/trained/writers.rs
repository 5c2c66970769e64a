//! Models that write: a summariser trained together with a sentence encoder, and Korean CommonGen.

use super::{sentences::train_sbert_model, *};
use ko_eval::{
    Candidate, Decoding, Generator as _, Prompt,
    commongen::{
        Candidates, Inflections, Item, Pairs, Reranker,
        split::{HIGH_LEVEL_SEEDS, high_level},
    },
    generate::generate_kept,
    probe::conllu::Reader,
};

/// Sentences of a treebank document, and documents that are judged by.
const SENTENCES: usize = 4;
const JUDGED: usize = 100;
/// The most tokens of a document and of a summary; most news are longer, so that only their
/// beginning is read.
const LONGEST: [usize; 2] = [96, 48];

/// Sources and targets.
type Texts = Vec<(String, String)>;

fn pairs(texts: &[(String, String)]) -> Vec<TextPair<'_>> {
    texts.iter().map(|(source, target)| TextPair { source, target }).collect()
}

/// A small decoder over the backbone: what is pretrained must not learn as fast as what is not. The
/// published factors and warm-ups are for a hundred times as many steps.
fn over_backbone(encoder: f64, warm_up_steps: usize, longest: [usize; 2]) -> SummarizerSettings {
    let pace = |learning_rate| Pace { learning_rate, warm_up_steps };
    SummarizerSettings {
        layers: 3,
        width: Some(256),
        encoder: pace(encoder),
        decoder: pace(1e-2),
        longest_document: longest[0],
        longest_summary: longest[1],
    }
}

/// A document with its summary, and what people wrote beside it: the title, or the sentence that
/// follows.
type Document = [String; 3];

/// A summariser and a sentence encoder trained together: RDASS's FWA step.
pub(super) fn fwa(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let embedder = train_sbert_model(context)?;
    let (mut train, mut news_test) = (treebank(context, "dev")?, Vec::new());
    for (place, document) in news(context)?.into_iter().enumerate() {
        if place % 5 == 0 { news_test.push(document) } else { train.push(document) }
    }
    let mut treebank_test = treebank(context, "test")?;
    treebank_test.truncate(JUDGED);
    let train: Texts = train.into_iter().map(|[text, reference, _]| (text, reference)).collect();
    let (pairs, backbone) = (pairs(&train), context.backbone()?);
    report.figure("documents to learn from", pairs.len() as f64)?;
    let alone = over_backbone(3e-4, 100, LONGEST);
    let summarizer = context.trained(
        "summarizer",
        |builder| builder.batch(8).epochs(3),
        |folder, training| train_summarizer(&backbone, &pairs, &[], folder, &alone, training),
    )?;
    let [longest_document, longest_summary] = LONGEST;
    let settings = FwaSettings { longest_document, longest_summary, ..FwaSettings::default() };
    let both = context.trained(
        "fwa",
        |builder| builder.longest(longest_document).batch(8).learning_rate(2e-5),
        |folder, training| train_fwa(&summarizer, &embedder, &pairs, folder, &settings, training),
    )?;
    let after = [both.join("summarizer"), both.join("embedder")];
    for (what, documents) in [("science news", &news_test), ("treebank", &treebank_test)] {
        let before = nearness(context, [&summarizer, &embedder], documents)?;
        let after = nearness(context, after.each_ref(), documents)?;
        for (figure, value) in [
            ("documents to be judged by", documents.len() as f64),
            ("right reference above wrong ones, by the summary, before", before[0]),
            ("the same after", after[0]),
            ("gain by the summary", after[0] - before[0]),
            ("by the text beside the reference, P-SBERT", before[1]),
            ("the same, FWA-SBERT", after[1]),
        ] {
            report.figure(&format!("{what}, {figure}"), value)?;
        }
    }
    context.time(report, &["summarizer", "fwa"])
}

fn news(context: &Context) -> Result<Vec<Document>> {
    #[derive(Deserialize)]
    struct News {
        title: String,
        sentences: Vec<String>,
        summaries: Vec<usize>,
    }
    let document = |path: PathBuf| {
        let news = serde_json::from_str(&read(&path)?);
        let News { title, sentences, summaries } =
            news.with_context(|| path.display().to_string())?;
        let chosen = summaries.iter().filter_map(|&place| Some(sentences.get(place)?.as_str()));
        let reference = chosen.collect::<Vec<_>>().join(". ");
        Ok([sentences.join(". "), reference, title])
    };
    context.some(context.files("sci-news-sum/*.json")?).into_iter().map(document).collect()
}

fn treebank(context: &Context, part: &str) -> Result<Vec<Document>> {
    let sentences = Reader::open(context.data(&format!("ud/ko_kaist-ud-{part}.conllu")))?;
    let texts = sentences.map(|sentence| Ok(sentence?.text));
    let texts: Vec<String> = texts.collect::<ko_eval::Result<_>>()?;
    let document = |sentences: &[String; SENTENCES]| {
        [sentences.join(" "), sentences[0].clone(), sentences[1].clone()]
    };
    Ok(context.some(texts.as_chunks().0.iter().map(document)))
}

/// The mean share of wrong references that are farther than the right one from the summariser's
/// summary, and from the text beside it.
fn nearness(
    context: &Context,
    [summarizer, embedder]: [&PathBuf; 2],
    documents: &[Document],
) -> Result<[f64; 2]> {
    let inference = context.inference().precision(Precision::F32);
    let model = TextGenerator::open(summarizer, &inference)?;
    let prompts: Vec<Prompt<'_>> =
        documents.iter().map(|[text, ..]| Prompt::new(&**text)).collect();
    let decoding = Decoding { no_repeat_ngram: 3, min_tokens: 4, ..Decoding::beam(3, 48) };
    let summaries = likeliest(&model.generate(&prompts, &decoding)?)?;
    for (summary, [_, reference, _]) in summaries.iter().zip(documents).take(3) {
        println!("  {summary} ← {reference}");
    }
    let embedder = Embedder::open(embedder, &inference)?;
    let embed = |texts: Vec<&str>| embedder.embed(&texts);
    let references = embed(documents.iter().map(|[_, reference, _]| &**reference).collect())?;
    let beside = embed(documents.iter().map(|[.., beside]| &**beside).collect())?;
    let summaries = embed(summaries.iter().map(String::as_str).collect())?;
    Ok([summaries, beside].map(|texts| {
        let share = |(place, text)| {
            let near = references.rows().map(|reference| f64::from(cosine(text, reference)));
            auc(near.enumerate().map(|(number, near)| (near, number == place)))
        };
        texts.rows().enumerate().map(share).sum::<f64>() / documents.len() as f64
    }))
}

/// Pieces of the new vocabulary: few, so that a concept mostly has the pieces that it has within a
/// sentence's words.
const VOCABULARY: usize = 2_500;
/// Ten million parameters with such a vocabulary.
const SHAPE: Shape = Shape::Bart { width: 288, layers: 4, heads: 4, longest: 256 };
/// Of so many training sentences one selects the best weights instead: 300 of all.
const DEV: usize = 144;
/// The most tokens of a concept set and of a sentence.
const TOKENS: usize = 64;
/// Forms of a concept that a constrained search may choose from, beside the concept itself.
const FORMS: usize = 8;
/// When a training on two cores ends on a slow machine, wherever it is; two free cores are done
/// before.
const LIMIT: Duration = Duration::from_secs(38 * 60);
/// What stands between concepts: with spaces, so that a concept has the pieces that it has in a
/// sentence.
const BETWEEN: &str = " # ";
/// Where all systems are shown.
const SYSTEMS: &str = "CommonGen's test set";

/// A BART of ten million parameters that knew nothing.
pub(super) fn bart(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let set = CommonGen::read(context)?;
    set.judge(report, "BART from nothing", &set.bart()?)?;
    context.time(report, &["commongen-bart-restoring", "commongen-bart"])
}

/// The Korean ALBERT below a new decoder.
pub(super) fn albert(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let set = CommonGen::read(context)?;
    // As much as it reads in the time of the others: every third sentence.
    let (train, dev) = (texts(set.train.iter().step_by(3)), texts(&set.dev));
    let settings = over_backbone(7e-4, 200, [TOKENS; 2]);
    let backbone = context.backbone()?;
    let folder = context.trained(
        "commongen-albert",
        |builder| set.limited(builder, 1).batch(16),
        |folder, training| {
            train_summarizer(&backbone, &pairs(&train), &pairs(&dev), folder, &settings, training)
        },
    )?;
    set.judge(report, "ALBERT below a new decoder", &folder)?;
    context.time(report, &["commongen-albert"])
}

/// That BART goes on with every other set, each without one concept by a published seed, and once
/// with the same sets whole.
pub(super) fn deletion(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let set = CommonGen::read(context)?;
    let start = Start::Pretrained(set.bart()?);
    let whole: Vec<Item> = set.train.iter().step_by(2).cloned().collect();
    let mut runs = vec![("none".to_owned(), whole.clone())];
    for seed in HIGH_LEVEL_SEEDS {
        runs.push((seed.to_string(), high_level(&whole, seed)?));
    }
    let (mut names, mut deleted) = (Vec::new(), Vec::new());
    for (seed, items) in &runs {
        let name = format!("commongen-deletion-{seed}");
        let recipe = |b| set.limited(b, 6).learning_rate(3e-4);
        let folder = set.train(&name, &start, &[texts(items), texts(&set.dev)], recipe)?;
        names.push(name);
        let written = likeliest(&set.candidates(report, &folder, &set.prompts())?)?;
        deleted.push(set.score(report, &format!("without a concept by seed {seed}"), written)?);
    }
    for (place, column) in Columns::NAMES.iter().enumerate() {
        let values: Vec<f64> = deleted.iter().skip(1).map(|row| row.values()[place]).collect();
        spread(report, SYSTEMS, column, &values)?;
    }
    context.time(report, &names)
}

fn source(item: &Item) -> String {
    item.concepts().join(BETWEEN)
}

fn texts<'i>(items: impl IntoIterator<Item = &'i Item>) -> Texts {
    let of_one = |item: &'i Item| item.references().iter().map(|text| (source(item), text.clone()));
    items.into_iter().flat_map(of_one).collect()
}

fn likeliest(candidates: &[Vec<Candidate>]) -> Result<Vec<String>> {
    let text = |all: &Vec<Candidate>| Some(all.first()?.text.clone());
    candidates.iter().map(text).collect::<Option<_>>().context("a prompt without an answer")
}

/// The published data, and how systems are trained and judged on it.
struct CommonGen<'c> {
    context: &'c Context,
    analyzer: Arc<dyn MorphemeAnalyzer>,
    train: Vec<Item>,
    dev: Vec<Item>,
    test: Vec<Item>,
}

impl<'c> CommonGen<'c> {
    fn read(context: &'c Context) -> Result<Self> {
        let read = |name: &str| -> Result<Vec<Item>> {
            let path = context.data(&format!("commongen/dataset/{name}.jsonl"));
            Ok(context.some(read_items(&path, BadLines::Refuse)?.into_values()))
        };
        let [first, second] = ["dialogue_summary_train", "image_caption_train"].map(read);
        let (mut train, mut dev) = (Vec::new(), Vec::new());
        for (place, item) in first?.into_iter().chain(second?).enumerate() {
            if place % DEV == DEV / 2 { dev.push(item) } else { train.push(item) }
        }
        let analyzer = analyzer_by_name("mecab")?;
        Ok(Self { context, analyzer, train, dev, test: read("test")? })
    }

    /// What all trainings here share. One core has as much to do as two, and takes twice as long.
    fn limited(&self, builder: TrainingBuilder, share: u32) -> TrainingBuilder {
        let limit = LIMIT * 2 / u32::try_from(self.context.threads()).unwrap_or(1);
        builder.evaluations(4).time_limit(limit / share)
    }

    /// First it restores sentences from what noise leaves of them, as BART's authors begin.
    fn bart(&self) -> Result<PathBuf> {
        let recipe = |builder: TrainingBuilder| builder.learning_rate(1e-3);
        let start = Start::New { shape: SHAPE, vocabulary: VOCABULARY };
        let concepts = [texts(&self.train), texts(&self.dev)];
        let sentences = concepts.each_ref().map(|pairs| {
            let sentences: Vec<&str> = pairs.iter().map(|(_, sentence)| &**sentence).collect();
            let noise = damaged(&sentences, BETWEEN, 1).into_iter();
            noise.zip(sentences.iter().map(|sentence| (*sentence).to_owned())).collect()
        });
        let restoring = self.train("commongen-bart-restoring", &start, &sentences, recipe)?;
        let start = Start::Pretrained(restoring);
        self.train("commongen-bart", &start, &concepts, |builder| recipe(builder).epochs(3))
    }

    fn train(
        &self,
        name: &str,
        start: &Start,
        [train, dev]: &[Texts; 2],
        recipe: impl Fn(TrainingBuilder) -> TrainingBuilder,
    ) -> Result<PathBuf> {
        let settings = GeneratorSettings {
            longest_source: TOKENS,
            longest_target: TOKENS,
            in_order: false,
            ..GeneratorSettings::default()
        };
        let builder = |builder| recipe(self.limited(builder, 1).batch(32));
        self.context.trained(name, builder, |folder, training| {
            train_generator(start, &pairs(train), &pairs(dev), folder, &settings, training)
        })
    }

    /// Scores a system below the published ones: its likeliest sentences, those that cover most
    /// concepts, and what beams write that must use all of them.
    fn judge(&self, report: &mut Report<'_>, what: &str, folder: &Path) -> Result<()> {
        for system in ["KoGPT2", "KoBART", "mBART_50", "mT5_large"] {
            let lines = self.context.lines(&format!("commongen/systems/{system}.txt"))?;
            self.score(report, system, self.context.some(lines))?;
        }
        let free = self.candidates(report, folder, &self.prompts())?;
        let forced = self.candidates(report, folder, &self.demanding_prompts()?)?;
        let alone = self.score(report, &format!("{what}: likeliest"), likeliest(&free)?)?;
        let covering = self.covering(free)?;
        let reranked = self.score(report, &format!("{what}: re-ranked"), covering)?;
        let covering = self.covering(forced)?;
        let constrained = self.score(report, &format!("{what}: constrained"), covering)?;
        report.figure("Coverage gained by re-ranking", reranked.coverage - alone.coverage)?;
        report.figure("Coverage with constrained beams", constrained.coverage)
    }

    fn prompts(&self) -> Vec<Prompt<'static>> {
        self.test.iter().map(|item| Prompt::new(source(item))).collect()
    }

    /// The same where each concept must be used, as it stands or in a word of the training set.
    fn demanding_prompts(&self) -> Result<Vec<Prompt<'static>>> {
        let concepts = self.test.iter().flat_map(|item| item.concepts());
        let concepts: BTreeSet<&str> = concepts.map(String::as_str).collect();
        let sentences = self.train.iter().flat_map(|item| item.references());
        let sentences: Vec<&str> = sentences.map(String::as_str).collect();
        // As the concepts were cut.
        let analyzer = analyzer_by_name("mecab:penalty=off")?;
        let forms = Inflections::learn(&*analyzer, &concepts, &sentences, &*progress())?;
        let demand =
            |prompt: Prompt<'static>, concept: &String| prompt.must_use(forms.of(concept, FORMS));
        // Some words stand in letters that a vocabulary lacks.
        let prompts = self.test.iter().zip(self.prompts().into_iter().map(Prompt::or_freely));
        Ok(prompts.map(|(item, prompt)| item.concepts().iter().fold(prompt, demand)).collect())
    }

    fn candidates(
        &self,
        report: &mut Report<'_>,
        folder: &Path,
        prompts: &[Prompt<'_>],
    ) -> Result<Vec<Vec<Candidate>>> {
        let inference = self.context.inference().precision(Precision::F32);
        let model = TextGenerator::open(folder, &inference)?;
        // The paper's search, every beam a candidate; its lengths are of other tokens.
        let paper = ko_eval::commongen::decoding().with_candidates(10);
        let decoding = Decoding { min_tokens: 4, max_tokens: 40, ..paper };
        let demanding = prompts.iter().any(|prompt| !prompt.required.is_empty());
        let kept = folder.join(if demanding { "constrained" } else { "free" });
        let all = generate_kept(&model, prompts, &decoding, Some(&kept), &*progress())?;
        let lacks_words = |(prompt, answers): &(&Prompt<'_>, &Vec<Candidate>)| {
            let uses =
                |forms: &Vec<String>, text: &str| forms.iter().any(|form| text.contains(form));
            let used = |forms| answers.iter().all(|answer| uses(forms, &answer.text));
            !prompt.required.iter().all(used)
        };
        let lacking = prompts.iter().zip(&all).filter(lacks_words).count();
        report.value("prompts", &stem(&kept), "without a required word", lacking as f64)?;
        Ok(all)
    }

    /// The candidate of every set that covers most of it.
    fn covering(&self, candidates: Vec<Vec<Candidate>>) -> Result<Vec<String>> {
        let reranker = Reranker::new(Arc::clone(&self.analyzer));
        let choose = |(item, candidates): (&Item, Vec<Candidate>)| {
            let concept_set = item.concept_set();
            Ok(reranker.choose(&Candidates { concept_set, candidates })?.text)
        };
        self.test.iter().zip(candidates).map(choose).collect()
    }

    /// Reports the columns of what a system wrote.
    fn score(
        &self,
        report: &mut Report<'_>,
        system: &str,
        written: Vec<String>,
    ) -> Result<Columns> {
        let pairs = Pairs::new(self.test.clone(), written)?;
        let evaluator = Evaluator::new(Arc::clone(&self.analyzer), Protocol::Paper);
        let columns = evaluator.evaluate(&pairs, &())?.columns;
        report.row(SYSTEMS, system, Columns::NAMES.into_iter().zip(columns.values()))?;
        Ok(columns)
    }
}
