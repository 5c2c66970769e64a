//! What a sentence-transformers folder is made of: read where a model is opened, written where one was trained.

use super::{
    config::Settings,
    network::Network,
    place::Place,
    tokenizer::{TextTokenizer, TokenIds},
};
use crate::{
    LongText, Prompt,
    error::{Error, Result},
    files::{
        modules,
        prompts::{self, Prompts},
    },
    pooling::Pooling,
};
use ko_eval_core::Signature;
use ko_eval_io::files::write_atomically;
use serde_json::{Map, Value, json};
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

/// The file of a transformer's length limit, and of whether it reads lower case alone.
const LENGTH: &str = "sentence_bert_config.json";

/// Where a pooling is written.
const POOLING: &str = "1_Pooling";

/// Where the transformer lies, and what follows it.
#[derive(Debug, Clone)]
pub(crate) struct Recipe {
    /// The folder whose `modules.json` says all this; none where there is no such file.
    stated: Option<PathBuf>,
    pub(crate) folder: PathBuf,
    pub(crate) pooling: Pooling,
    pub(crate) dense: Vec<PathBuf>,
    pub(crate) normalize: bool,
    pub(crate) longest: Option<usize>,
    prompts: Prompts,
    /// Whether a prompt's tokens are pooled with the text's.
    pools_prompt: bool,
    /// Whether texts are read in lower case, whatever the tokenizer does.
    lowercases: bool,
}

/// How a text is written before it is cut into tokens: behind a prompt, and perhaps in lower case.
#[derive(Debug, Clone)]
pub(crate) struct Wording {
    prompt: String,
    left_out: i64,
    lowercases: bool,
}

impl Wording {
    /// A text as the tokenizer gets it.
    pub(crate) fn of<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match (self.prompt.as_str(), self.lowercases) {
            ("", false) => Cow::Borrowed(text),
            ("", true) => Cow::Owned(lowercase(text)),
            (prompt, false) => Cow::Owned(format!("{prompt}{text}")),
            (prompt, true) => Cow::Owned(lowercase(&format!("{prompt}{text}"))),
        }
    }

    /// Whether every text stands behind a prompt.
    pub(crate) fn has_prompt(&self) -> bool {
        !self.prompt.is_empty()
    }

    /// How many tokens at the beginning of every text are a prompt's that is not pooled.
    pub(crate) fn left_out(&self) -> i64 {
        self.left_out
    }

    /// Names in a signature what is done to texts; what is not, is not named.
    pub(crate) fn sign(&self, mut signature: Signature) -> Signature {
        if self.has_prompt() {
            signature = signature.with("prompt", &self.prompt);
        }
        if self.left_out > 0 {
            signature = signature.with("prompt-pooled", "no");
        }
        if self.lowercases {
            signature = signature.with("lowercase", "yes");
        }
        signature
    }
}

/// Each character for itself, as the normaliser of tokenizers does: a Σ at the end of a word becomes σ as everywhere else.
fn lowercase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

impl Recipe {
    /// As `modules.json` says, else mean pooling.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        match folder.join(modules::NAME).is_file() {
            true => Self::read(folder),
            false => Ok(Self::plain(folder, Pooling::Mean)),
        }
    }

    /// The same transformer behind another pooling, and nothing after it.
    pub(super) fn pooled_by(self, pooling: Pooling) -> Self {
        Self { pooling, dense: Vec::new(), normalize: false, ..self }
    }

    /// The transformer, and a tokenizer that cuts where either of them ends.
    pub(super) fn transformer(&self, place: Place) -> Result<(Network, TextTokenizer)> {
        let network = Network::open(&self.folder, place)?;
        let rows = usize::try_from(network.config().vocabulary).unwrap_or(0);
        let mut tokenizer = TextTokenizer::open(&self.folder, rows, network.longest())?;
        if let Some(longest) = self.longest {
            tokenizer.limited(longest)?;
        }
        Ok((network, tokenizer))
    }

    /// A transformer and a pooling, and nothing else.
    pub(crate) fn plain(folder: &Path, pooling: Pooling) -> Self {
        Self {
            stated: None,
            folder: folder.into(),
            pooling,
            dense: Vec::new(),
            normalize: false,
            longest: None,
            prompts: Prompts::default(),
            pools_prompt: true,
            lowercases: false,
        }
    }

    fn read(folder: &Path) -> Result<Self> {
        let mut recipe = Self::plain(folder, Pooling::Mean);
        recipe.stated = Some(folder.into());
        recipe.prompts = Prompts::of(&Settings::open_or_empty(folder, prompts::NAME)?)?;
        let modules = modules::read(folder)?;
        let file = Settings::open_or_empty(&modules.transformer, LENGTH)?;
        let longest = file.get(&["max_seq_length"]).and_then(Value::as_u64);
        recipe.longest = longest.and_then(|n| usize::try_from(n).ok());
        recipe.lowercases = file.yes(&["do_lower_case"], false);
        recipe.folder = modules.transformer;
        let file = Settings::open(&modules.pooling, "config.json")?;
        recipe.pooling = pooling(&file)?;
        recipe.pools_prompt = file.yes(&["include_prompt"], true);
        for path in modules.dense.iter().chain(&modules.normalize) {
            check_place(&Settings::open_or_empty(path, "config.json")?)?;
        }
        recipe.dense = modules.dense;
        recipe.normalize = modules.normalize.is_some();
        Ok(recipe)
    }

    /// How texts are written behind a prompt.
    pub(crate) fn wording(
        &self,
        prompt: &Prompt,
        tokenizer: &TextTokenizer,
        long_text: LongText,
    ) -> Result<Wording> {
        let prompt = self.prompts.text(prompt)?.to_owned();
        let mut wording = Wording { prompt, left_out: 0, lowercases: self.lowercases };
        if !wording.has_prompt() {
            return Ok(wording);
        }
        let runs = tokenizer.encode(&wording.of(""), LongText::Chunk)?;
        let tokens = runs.iter().map(TokenIds::len).sum::<usize>();
        if tokens >= tokenizer.limit() {
            let expected = "less tokens than the model reads";
            return Err(Error::setting("a prompt", &wording.prompt, expected));
        }
        if self.pools_prompt {
            return Ok(wording);
        }
        if long_text == LongText::Chunk {
            let expected = "another policy for long texts where pooling leaves the prompt out";
            return Err(Error::setting("long", LongText::Chunk.name(), expected));
        }
        let ends = runs.last().and_then(|run| run.special.last()).copied().unwrap_or(false);
        wording.left_out = i64::try_from(tokens).unwrap_or(0) - i64::from(ends);
        Ok(wording)
    }

    /// Writes what [`Recipe::of`] reads, and sentence-transformers: a transformer in the folder itself with vectors of a width, its pooling,
    /// its normalisation, its length limit and its prompts. Dense layers are not written.
    pub(crate) fn write(&self, folder: &Path, width: usize) -> Result<()> {
        const MODELS: &str = "sentence_transformers.models";
        let mut modules = vec![
            json!({ "idx": 0, "name": "0", "path": "", "type": format!("{MODELS}.Transformer") }),
            json!({ "idx": 1, "name": "1", "path": POOLING, "type": format!("{MODELS}.Pooling") }),
        ];
        if self.normalize {
            let kind = format!("{MODELS}.Normalize");
            modules.push(json!({ "idx": 2, "name": "2", "path": "2_Normalize", "type": kind }));
        }
        if let Some(root) = &self.stated {
            copy(root, folder, prompts::NAME)?;
            copy(&self.folder, folder, LENGTH)?;
        }
        write_json(&folder.join(POOLING).join("config.json"), &self.pooling_file(width))?;
        write_json(&folder.join(modules::NAME), &modules.into())
    }

    fn pooling_file(&self, width: usize) -> Value {
        let mut file = Map::new();
        let mut state = |key: &str, value: Value| file.insert(key.to_owned(), value);
        state("word_embedding_dimension", width.into());
        state("pooling_mode_cls_token", (self.pooling == Pooling::Cls).into());
        state("pooling_mode_mean_tokens", (self.pooling == Pooling::Mean).into());
        state("pooling_mode_max_tokens", (self.pooling == Pooling::Max).into());
        match self.pooling {
            Pooling::Cls | Pooling::Mean | Pooling::Max => {}
            Pooling::Last => {
                state("pooling_mode_lasttoken", true.into());
            }
            Pooling::MeanOfLast(_) => {
                state("pooling_mode", self.pooling.to_string().into());
            }
        }
        if !self.pools_prompt {
            state("include_prompt", false.into());
        }
        file.into()
    }
}

fn write_json(path: &Path, json: &Value) -> Result<()> {
    Ok(write_atomically(path, format!("{json:#}\n").as_bytes())?)
}

/// Copies a file that need not be there.
fn copy(from: &Path, to: &Path, name: &str) -> Result<()> {
    let source = from.join(name);
    if source.is_file() && from != to {
        std::fs::copy(&source, to.join(name)).map_err(|e| Error::io(&source, e))?;
    }
    Ok(())
}

/// A module after the pooling may also be made for other vectors than the text's own, or add what it was given to what it makes.
fn check_place(file: &Settings) -> Result<()> {
    for key in ["module_input_name", "module_output_name"] {
        if let Some(name) = file.get(&[key]).filter(|name| *name != "sentence_embedding") {
            return Err(file.bad(&[key], format!("{name}, expected sentence_embedding")));
        }
    }
    match file.yes(&["use_residual"], false) {
        true => Err(file.bad(&["use_residual"], "true is not supported, expected false")),
        false => Ok(()),
    }
}

/// Both spellings of sentence-transformers: one word, or a switch per kind; the mean where neither says anything.
fn pooling(file: &Settings) -> Result<Pooling> {
    let word = file.text(&["pooling_mode"]).map(str::to_owned).or_else(|| {
        let kinds = [
            ("cls_token", "cls"),
            ("mean_tokens", "mean"),
            ("max_tokens", "max"),
            ("mean_sqrt_len_tokens", "mean_sqrt_len_tokens"),
            ("weightedmean_tokens", "weightedmean"),
            ("lasttoken", "lasttoken"),
        ];
        let is_on = |(kind, _): &&(&str, &str)| file.yes(&[&format!("pooling_mode_{kind}")], false);
        let on: Vec<&str> = kinds.iter().filter(is_on).map(|(_, word)| *word).collect();
        match on.as_slice() {
            [] if file.get(&["pooling_mode"]).is_none() => Some("mean".to_owned()),
            [one] => Some((*one).to_owned()),
            _ => None,
        }
    });
    let known = |word: String| match word.as_str() {
        "lasttoken" => Some(Pooling::Last),
        word => word.parse().ok(),
    };
    word.and_then(known).ok_or_else(|| {
        file.bad(&["pooling_mode"], "expected exactly one of cls, mean, max, lasttoken")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_pooling_takes_a_texts_vector() {
        let check = |json: &str| {
            check_place(&Settings::parse("2_Dense/config.json".into(), json.as_bytes()).unwrap())
        };
        for json in [
            "{}",
            r#"{"module_input_name": "sentence_embedding", "module_output_name": null}"#,
            r#"{"use_residual": false}"#,
        ] {
            check(json).unwrap();
        }
        for (json, named) in [
            (r#"{"module_input_name": "token_embeddings"}"#, "module_input_name"),
            (r#"{"module_output_name": "token_embeddings"}"#, "module_output_name"),
            (r#"{"use_residual": true}"#, "use_residual"),
        ] {
            match check(json) {
                Err(Error::BadConfig { key, .. }) => assert_eq!(key, named),
                other => panic!("{json}: {other:?}"),
            }
        }
    }

    #[test]
    fn both_spellings_of_a_pooling_are_read() {
        let read = |json: &str| pooling(&Settings::parse("config.json".into(), json.as_bytes())?);
        for (json, expected) in [
            (r#"{"pooling_mode": "lasttoken"}"#, Pooling::Last),
            (r#"{"pooling_mode_lasttoken": true}"#, Pooling::Last),
            (r#"{"pooling_mode": "cls"}"#, Pooling::Cls),
            (r#"{"pooling_mode_max_tokens": true, "pooling_mode_cls_token": false}"#, Pooling::Max),
            ("{}", Pooling::Mean),
        ] {
            assert_eq!(read(json).unwrap(), expected, "{json}");
        }
        for json in [
            r#"{"pooling_mode": "weightedmean"}"#,
            r#"{"pooling_mode_cls_token": true, "pooling_mode_lasttoken": true}"#,
        ] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains("cls, mean, max, lasttoken"), "{error}");
        }
    }

    #[test]
    fn texts_are_worded_in_lower_case_with_their_prompt() {
        let wording = |prompt: &str, lowercases| {
            let wording = Wording { prompt: prompt.into(), left_out: 0, lowercases };
            wording.of("ABC와 ΟΔΟΣ").into_owned()
        };
        assert_eq!(wording("", false), "ABC와 ΟΔΟΣ");
        assert_eq!(wording("Query: ", false), "Query: ABC와 ΟΔΟΣ");
        assert_eq!(wording("", true), "abc와 οδοσ");
        assert_eq!(wording("Query: ", true), "query: abc와 οδοσ");
    }

    /// A transformer in a folder of its own lies beside the rest when it is written.
    #[test]
    fn what_is_written_is_read_again() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |name: &str, text: &str| {
            let path = from.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let modules = ["0_Transformer", "1_Pooling", "2_Normalize"].map(|path| {
            let (_, kind) = path.split_once('_').unwrap();
            json!({ "path": path, "type": format!("sentence_transformers.models.{kind}") })
        });
        write("modules.json", &json!(modules).to_string());
        write("0_Transformer/sentence_bert_config.json", r#"{"max_seq_length": 24}"#);
        let prompts = r#"{"prompts": {"query": "질문: "}, "default_prompt_name": "query"}"#;
        write(prompts::NAME, prompts);
        for mode in ["cls", "mean", "max", "lasttoken", "mean-of-last-2"] {
            for pooled in [true, false] {
                let pooling = json!({ "pooling_mode": mode, "include_prompt": pooled });
                write("1_Pooling/config.json", &pooling.to_string());
                let recipe = Recipe::of(from.path()).unwrap();
                recipe.write(to.path(), 16).unwrap();
                let again = Recipe::of(to.path()).unwrap();
                assert_eq!((again.folder.as_path(), again.normalize), (to.path(), true));
                assert_eq!((again.pooling, again.longest), (recipe.pooling, Some(24)), "{mode}");
                assert_eq!(again.pools_prompt, pooled, "{mode}");
                assert_eq!(again.prompts.text(&Prompt::AsTheFolderSays).unwrap(), "질문: ");
            }
        }
    }
}
