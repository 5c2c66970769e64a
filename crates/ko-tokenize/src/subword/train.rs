//! Learning a vocabulary from text.
//!
//! Text is cut at white space, and a word begins with `▁`, as SentencePiece does. Learning is deterministic:
//! the same texts, in any order, give the same file to the byte.

use super::{Subword, SubwordError, model};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    panic::{AssertUnwindSafe, catch_unwind},
};
use tokenizers::{
    AddedToken, NormalizerWrapper, PreTokenizerWrapper, Trainer,
    models::{
        bpe::{BPE, BpeTrainer},
        unigram::{Unigram, UnigramTrainer},
    },
    normalizers::{NFC, NFD},
    pre_tokenizers::{
        metaspace::{Metaspace, PrependScheme},
        sequence::Sequence,
        whitespace::WhitespaceSplit,
    },
};

/// The piece that stands for what the vocabulary lacks.
const UNKNOWN: &str = "<unk>";

/// How the pieces are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Byte-pair encoding over characters: join the most frequent pair, again and again
    /// (Sennrich et al. 2016).
    Bpe,
    /// A unigram language model: begin with many pieces, drop those that are missed least (Kudo 2018).
    Unigram,
    /// Jamo-Pair Encoding: byte-pair encoding over conjoining jamo, so that a piece can be a syllable with
    /// or without its final, or an ending such as ㅂ니다 that begins inside a syllable. NFC puts the pieces
    /// together again.
    JamoBpe,
}

/// How a vocabulary is to be learned.
///
/// ```
/// use ko_eval_core::Tokenizer;
/// use ko_tokenize::subword::{Algorithm, VocabularyTraining};
///
/// // 갑니다, 옵니다 and 봅니다 share an ending that no character boundary shows.
/// let texts = ["갑니다 옵니다 봅니다 합니다"];
/// let jamo = VocabularyTraining::new(Algorithm::JamoBpe, 80).learn(texts)?;
/// let units = jamo.tokenize("잡니다")?;
/// let pieces: Vec<_> = units.iter().map(|u| u.as_str()).collect();
/// // ㅈ, and ㅏㅂ니다 as one piece, in conjoining jamo
/// assert_eq!(pieces, ["▁", "\u{110c}", "\u{1161}\u{11b8}\u{1102}\u{1175}\u{1103}\u{1161}"]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyTraining {
    algorithm: Algorithm,
    vocabulary_size: usize,
    min_frequency: u64,
}

impl VocabularyTraining {
    /// A vocabulary of at most so many pieces, the one for unknown text included.
    pub fn new(algorithm: Algorithm, vocabulary_size: usize) -> Self {
        Self { algorithm, vocabulary_size, min_frequency: 2 }
    }

    /// Joins only pairs that occur so often; 2 by default. A unigram vocabulary has no such limit.
    #[must_use]
    pub fn min_frequency(self, min_frequency: u64) -> Self {
        Self { min_frequency, ..self }
    }

    /// Learns a vocabulary.
    ///
    /// # Errors
    /// [`SubwordError::NoText`], [`SubwordError::TooSmall`], or [`SubwordError::Training`] if the algorithm
    /// fails on the texts.
    pub fn learn<T: AsRef<str>>(
        &self,
        texts: impl IntoIterator<Item = T>,
    ) -> crate::error::Result<Subword> {
        let mut tokenizer = tokenizers::Tokenizer::new(BPE::default());
        let normalizer: NormalizerWrapper = match self.algorithm {
            Algorithm::Bpe | Algorithm::Unigram => NFC.into(),
            Algorithm::JamoBpe => NFD.into(),
        };
        let metaspace = Metaspace::new('▁', PrependScheme::Always, true);
        let words: Vec<PreTokenizerWrapper> =
            vec![WhitespaceSplit.into(), metaspace.clone().into()];
        tokenizer
            .with_normalizer(Some(normalizer))
            .map_err(SubwordError::training)?
            .with_pre_tokenizer(Some(Sequence::new(words)))
            .with_decoder(Some(metaspace));
        let words = count_words(&tokenizer, texts)?;
        let letters = self.letters(&words);
        let least = letters.len() + 1;
        if self.vocabulary_size < least {
            let asked = self.vocabulary_size;
            return Err(SubwordError::TooSmall { asked, least }.into());
        }
        // The crate's learners panic where a probability is not a number.
        let learned = catch_unwind(AssertUnwindSafe(|| match self.algorithm {
            Algorithm::Bpe | Algorithm::JamoBpe => {
                self.bpe(&words, letters).map(tokenizers::ModelWrapper::from)
            }
            Algorithm::Unigram => self.unigram(words, &letters).map(Into::into),
        }))
        .unwrap_or_else(|_| Err("the algorithm gave up on these texts".into()));
        tokenizer.with_model(learned.map_err(SubwordError::training)?);
        tokenizer
            .add_special_tokens([AddedToken::from(UNKNOWN, true)])
            .map_err(SubwordError::training)?;
        let json = model::to_json(&tokenizer)?;
        Subword::from_bytes("the learned vocabulary", json.as_bytes())
    }

    /// What must be in the vocabulary.
    fn letters(&self, words: &BTreeMap<String, u32>) -> BTreeSet<char> {
        let mut letters: BTreeSet<char> = words.keys().flat_map(|word| word.chars()).collect();
        if self.algorithm == Algorithm::JamoBpe {
            // No syllable may be unknown for the lack of a rare final.
            letters.extend('\u{1100}'..='\u{1112}');
            letters.extend('\u{1161}'..='\u{1175}');
            letters.extend('\u{11a8}'..='\u{11c2}');
        }
        letters
    }

    fn bpe(
        &self,
        words: &BTreeMap<String, u32>,
        letters: BTreeSet<char>,
    ) -> tokenizers::Result<BPE> {
        let mut trainer = BpeTrainer::builder()
            .show_progress(false)
            .vocab_size(self.vocabulary_size)
            .min_frequency(self.min_frequency)
            .initial_alphabet(letters.into_iter().collect::<HashSet<_>>())
            .special_tokens(vec![AddedToken::from(UNKNOWN, true)])
            .build();
        let repeated =
            words.iter().flat_map(|(word, count)| (0..*count).map(move |_| word.as_str()));
        trainer.feed(repeated, |word| Ok(vec![word.to_owned()]))?;
        let mut bpe = BPE::builder().unk_token(UNKNOWN.to_owned()).build()?;
        trainer.train(&mut bpe)?;
        Ok(bpe)
    }

    fn unigram(
        &self,
        words: BTreeMap<String, u32>,
        letters: &BTreeSet<char>,
    ) -> tokenizers::Result<Unigram> {
        let trainer = UnigramTrainer::builder()
            .show_progress(false)
            .vocab_size(u32::try_from(self.vocabulary_size)?)
            .unk_token(Some(UNKNOWN.to_owned()))
            .build()?;
        let mut unigram = Unigram::default();
        // Sums of floating-point numbers depend on how threads share the work: one thread.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        pool.install(|| trainer.do_train(words.into_iter().collect(), &mut unigram))?;

        // Letters that did not earn a probability get the smallest one plus a little, in the order of a
        // randomly seeded hash table. Without the little, and sorted, the result is the same each time.
        let mut pieces: Vec<(String, f64)> =
            unigram.iter().filter(|(piece, _)| piece != UNKNOWN).cloned().collect();
        let smallest = pieces.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
        let handed_out = smallest + HANDED_OUT_STEP * (letters.len() + 1) as f64;
        for (piece, score) in &mut pieces {
            if *score <= handed_out && piece.chars().count() == 1 {
                *score = smallest;
            }
        }
        pieces.sort_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| a.cmp(b)));
        let unknown = [(UNKNOWN.to_owned(), 0.0)];
        Unigram::from(unknown.into_iter().chain(pieces).collect(), Some(0), false)
    }
}

/// By how much the crate's unigram learner lifts each letter that it hands a probability to.
const HANDED_OUT_STEP: f64 = 0.0001;

/// The words of the texts as the tokenizer will see them, and how often each occurs.
fn count_words<T: AsRef<str>>(
    tokenizer: &tokenizers::Tokenizer,
    texts: impl IntoIterator<Item = T>,
) -> Result<BTreeMap<String, u32>, SubwordError> {
    use tokenizers::{
        NormalizedString, Normalizer, OffsetReferential, OffsetType, PreTokenizedString,
        PreTokenizer,
    };

    let mut words = BTreeMap::<String, u32>::new();
    for text in texts {
        let mut text = NormalizedString::from(text.as_ref());
        if let Some(normalizer) = tokenizer.get_normalizer() {
            normalizer.normalize(&mut text).map_err(SubwordError::training)?;
        }
        let mut text = PreTokenizedString::from(text);
        if let Some(pre_tokenizer) = tokenizer.get_pre_tokenizer() {
            pre_tokenizer.pre_tokenize(&mut text).map_err(SubwordError::training)?;
        }
        for (word, _, _) in text.get_splits(OffsetReferential::Original, OffsetType::Byte) {
            let count = words.entry(word.to_owned()).or_default();
            *count = count.saturating_add(1);
        }
    }
    match words.is_empty() {
        true => Err(SubwordError::NoText),
        false => Ok(words),
    }
}
