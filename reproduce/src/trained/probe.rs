//! What the Korean ALBERT knows, layer by layer, by all eleven probing tasks; and SBERT, if the
//! check `sbert` has trained it.

use super::*;
use ko_eval::probe::{Classifier, DescriptionLength, Experiment, TASKS, utterances};

/// What the encoder is called before it was trained.
const BEFORE: &str = "ALBERT";

/// Statements, questions and orders of 3i4k; fragments, rhetorical ones and what only intonation
/// tells are left out.
const INTENTIONS: &str = "1=other,2=interrogative,3=imperative";

pub(super) fn albert(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let data = data_sets(context)?;
    let layers = |name: &str, folder: &Path| -> Result<Subject> {
        let embedder = LayerEmbedder::open(folder, None, &context.inference())?;
        Ok(Subject::layers(name, Arc::new(embedder)))
    };
    let mut subjects = vec![layers(BEFORE, &context.backbone()?)?];
    let trained = context.folder("sbert");
    match trained.join(TRAINED).is_file() {
        true => subjects.push(layers("SBERT", &trained)?),
        false => println!("SBERT is left out: `reproduce sbert` has not trained it"),
    }
    let classifier = Classifier::new().penalties(&[1e-4])?;
    let mut experiment = Experiment::new().classifier(classifier).cache(context.folder("vectors"));
    if context.models.every.get() == 1 {
        let coded = experiment.description_length(DescriptionLength::OnlineCode);
        experiment = coded.control(Control::RandomLabels);
    }
    let findings = experiment.run(&subjects, &data, &*progress())?;
    let page = ProbeReport::new(&findings).language(Language::English);
    let folder = context.folder("probe");
    page.document().write(&folder)?;
    write_atomically(&folder.join("findings.json"), page.json()?.as_bytes())?;
    println!("{}\nreport: {}", page.text(), folder.join("report.html").display());
    for Dataset { task, .. } in &data {
        let layers = findings.findings.iter().filter(|f| f.task == *task && f.encoder == BEFORE);
        let scores = layers.map(|f| (f.balanced_accuracy.score, f));
        if let Some((score, best)) = scores.max_by(|a, b| a.0.total_cmp(&b.0)) {
            let what = format!("{task}, {}", best.subject);
            let above = ("above chance", score - best.chance);
            report.row("probe-albert", &what, [("balanced accuracy", score), above])?;
        }
    }
    Ok(())
}

/// The eleven tasks; one that no probe can learn is said to be left out.
fn data_sets(context: &Context) -> Result<Vec<Dataset>> {
    let treebank = treebank(context)?;
    let wanted = treebank.sentences.len();
    let options = Options { words: WordLimits::default().scaled_to(wanted), ..Options::default() };
    let mut sets = Vec::new();
    for task in TASKS {
        let mut data = task.build(&treebank, &options);
        if task.name == "SentType" {
            data = utterances::open(context.data("3i4k/fci_train_val.txt"), &INTENTIONS.parse()?)?;
            // As many as treebanks give to the other tasks: probes are compared.
            let step = data.examples.len().div_ceil(wanted.max(1)).max(1);
            data.examples = data.examples.into_iter().step_by(step).collect();
            data = options.split.apply(data);
        }
        let (sentences, classes) = (data.examples.len(), data.classes.len());
        match data.check() {
            Ok(()) => {
                println!("{}: {sentences} sentences, {classes} classes", data.task);
                sets.push(data);
            }
            Err(error) => println!("{error}; it is left out"),
        }
    }
    Ok(sets)
}

/// UD's Korean treebanks.
pub(super) fn treebank(context: &Context) -> Result<Treebank> {
    let mut treebank = Treebank::read(&context.files("ud/*.conllu")?, None)?;
    treebank.sentences = context.some(treebank.sentences);
    Ok(treebank)
}
