//! A summariser and a sentence encoder trained together (RDASS's FWA step), on very little: forty science news with the sentences that people
//! chose as their summary, and five hundred documents of four consecutive treebank sentences whose summary is the first.
//!
//! Of every document that was not learned from, the model's own summary is compared with the right reference and with all wrong ones: before
//! (the embedder as it was, P-SBERT) and after (FWA-SBERT).

use crate::{
    Context, MINUTES_OF_WRITERS,
    report::{Check, separation},
    sbert,
};
use anyhow::{Context as _, Result};
use ko_eval_core::{Decoding, Generator as _, Prompt, SentenceEmbedder as _};
use ko_neural::{
    Embedder, Precision, TextGenerator,
    train::{FwaSettings, Pace, SummarizerSettings, TextPair, train_fwa, train_summarizer},
    vector::cosine,
};
use ko_probe::conllu::Reader;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Sentences of a treebank document.
const SENTENCES: usize = 4;
/// Treebank documents that are judged by.
const JUDGED: usize = 100;
/// The most tokens of a document and of a summary; most news are longer, so that only their beginning is read.
const LONGEST: (usize, usize) = (96, 48);

pub(crate) fn prove(context: &Context) -> Result<Vec<Check>> {
    let embedder = sbert::train(context)?;
    let (mut train, mut news_test) = (treebank(context, "dev")?, Vec::new());
    for (place, document) in news(context)?.into_iter().enumerate() {
        if place % 5 == 0 { news_test.push(document) } else { train.push(document) }
    }
    let mut treebank_test = treebank(context, "test")?;
    treebank_test.truncate(JUDGED);

    let pairs: Vec<TextPair<'_>> = train.iter().map(Document::pair).collect();
    let summarizer = summarizer(context, &pairs)?;
    let both = together(context, &summarizer, &embedder, &pairs)?;
    let after = [both.join("summarizer"), both.join("embedder")];
    let mut checks = vec![Check::figure("documents to learn from", pairs.len() as f64)];
    for (what, documents) in [("science news", &news_test), ("treebank", &treebank_test)] {
        let before = Judged::new(context, [&summarizer, &embedder], documents)?;
        let after = Judged::new(context, after.each_ref(), documents)?;
        let figure = |of: &str, value| Check::figure(format!("{what}: {of}"), value);
        checks.extend([
            figure("documents to be judged by", documents.len() as f64),
            figure("right reference above wrong ones, by the summary, before", before.summaries),
            Check::above(format!("{what}: the same after"), after.summaries, before.summaries),
            figure("the same by the text beside the reference, P-SBERT", before.beside),
            figure("the same, FWA-SBERT", after.beside),
        ]);
    }
    checks.push(context.timely(&["summarizer", "fwa"], MINUTES_OF_WRITERS)?);
    Ok(checks)
}

fn summarizer(context: &Context, pairs: &[TextPair<'_>]) -> Result<PathBuf> {
    // The published factors and warm-ups are for a hundred times as many steps.
    let pace = |learning_rate| Pace { learning_rate, warm_up_steps: 100 };
    let settings = SummarizerSettings {
        layers: 3,
        width: Some(256),
        encoder: pace(3e-4),
        decoder: pace(1e-2),
        longest_document: LONGEST.0,
        longest_summary: LONGEST.1,
    };
    context.trained(
        "summarizer",
        |builder| builder.batch(8).epochs(3),
        |folder, training| {
            train_summarizer(&context.backbone, pairs, &[], folder, &settings, training)
        },
    )
}

/// The folder with both, trained together.
fn together(
    context: &Context,
    summarizer: &Path,
    embedder: &Path,
    pairs: &[TextPair<'_>],
) -> Result<PathBuf> {
    let (longest_document, longest_summary) = LONGEST;
    let settings = FwaSettings { longest_document, longest_summary, ..FwaSettings::default() };
    context.trained(
        "fwa",
        |builder| builder.longest(LONGEST.0).batch(8).learning_rate(2e-5),
        |folder, training| train_fwa(summarizer, embedder, pairs, folder, &settings, training),
    )
}

struct Document {
    text: String,
    reference: String,
    /// What people wrote beside the reference: the title, or the sentence that follows it.
    beside: String,
}

impl Document {
    fn pair(&self) -> TextPair<'_> {
        TextPair { source: &self.text, target: &self.reference }
    }
}

#[derive(Deserialize)]
struct News {
    title: String,
    sentences: Vec<String>,
    summaries: Vec<usize>,
}

fn news(context: &Context) -> Result<Vec<Document>> {
    let folder = context.data.join("sci-news-sum");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder)?.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "json"));
    files.sort();
    let read = |path: PathBuf| -> Result<Document> {
        let news: News = serde_json::from_slice(&std::fs::read(&path)?)
            .with_context(|| path.display().to_string())?;
        let chosen = news.summaries.iter().filter_map(|&place| news.sentences.get(place));
        Ok(Document {
            text: news.sentences.join(". "),
            reference: chosen.cloned().collect::<Vec<_>>().join(". "),
            beside: news.title,
        })
    };
    context.some(files).into_iter().map(read).collect()
}

fn treebank(context: &Context, part: &str) -> Result<Vec<Document>> {
    let file = context.data.join(format!("ud/ko_kaist-ud-{part}.conllu"));
    let texts: Vec<String> = Reader::open(file)?
        .map(|sentence| Ok(sentence?.text))
        .collect::<ko_eval_core::Result<_>>()?;
    let (documents, _) = texts.as_chunks::<SENTENCES>();
    let document = |sentences: &[String; SENTENCES]| {
        let [reference, beside, ..] = sentences.clone();
        Document { text: sentences.join(" "), reference, beside }
    };
    Ok(context.some(documents.iter().map(document)))
}

/// How often the right reference is nearer than a wrong one.
struct Judged {
    /// To the summariser's summary.
    summaries: f64,
    /// To the text beside it, whoever summarises.
    beside: f64,
}

impl Judged {
    fn new(
        context: &Context,
        [summarizer, embedder]: [&PathBuf; 2],
        documents: &[Document],
    ) -> Result<Self> {
        let inference = context.inference().precision(Precision::F32);
        let model = TextGenerator::open(summarizer, &inference)?;
        let prompts: Vec<Prompt<'_>> = documents.iter().map(|d| Prompt::new(&*d.text)).collect();
        let decoding = Decoding { no_repeat_ngram: 3, min_tokens: 4, ..Decoding::beam(3, 48) };
        let written = model.generate(&prompts, &decoding)?;
        let best = written.iter().map(|all| all.first().map_or("", |best| best.text.as_str()));
        let summaries: Vec<&str> = best.collect();
        for (summary, document) in summaries.iter().zip(documents).take(3) {
            println!("  {summary} ← {}", document.reference);
        }
        let embedder = Embedder::open(embedder, &inference)?;
        let beside: Vec<&str> = documents.iter().map(|d| d.beside.as_str()).collect();
        Ok(Self {
            summaries: right_above_wrong(&embedder, &summaries, documents)?,
            beside: right_above_wrong(&embedder, &beside, documents)?,
        })
    }
}

/// The mean share of wrong references that are farther from a document's text than the right one.
fn right_above_wrong(embedder: &Embedder, texts: &[&str], documents: &[Document]) -> Result<f64> {
    let references: Vec<&str> = documents.iter().map(|d| d.reference.as_str()).collect();
    let (texts, references) = (embedder.embed(texts)?, embedder.embed(&references)?);
    let share = |(place, text)| {
        let mut near: Vec<f64> =
            references.rows().map(|reference| f64::from(cosine(text, reference))).collect();
        let right = near.remove(place);
        separation(&[right], &near)
    };
    Ok(texts.rows().enumerate().map(share).sum::<f64>() / documents.len() as f64)
}
