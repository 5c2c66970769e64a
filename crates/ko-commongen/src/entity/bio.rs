//! An averaged structured perceptron over syllables (Collins 2002).
//!
//! Each character gets a label: `O`, or `B-`/`I-` with a kind. Its features are the characters and
//! character classes around it and the word it stands in; neighbouring labels are weighed too, `I-`
//! may only continue its own kind, and the best sequence is found by Viterbi. Training decodes
//! every sentence, adds the features of the right labels, subtracts those of wrong ones, and averages the
//! weights over all steps. One sentence costs O(characters × labels × (features + labels)).
//!
//! ```
//! use ko_commongen::entity::{BioTagger, EntityTagger, Labelled, Training};
//!
//! let sentences = ["<민수:PS>가 <제주도:LC>에 갔다.", "<영희:PS>는 <부산:LC>에 산다.", "비가 온다."];
//! let sentences: Vec<Labelled> = sentences.iter().map(|s| s.parse()).collect::<Result<_, _>>()?;
//! let tagger = BioTagger::train(&sentences, &Training::default())?;
//! let found = tagger.entities("민수가 부산에 산다.").unwrap();
//! assert_eq!((found[0].kind.as_str(), found[1].kind.as_str()), ("PS", "LC"));
//! assert_eq!(found[0].span, 0..6);
//! # Ok::<(), ko_commongen::Error>(())
//! ```
#![allow(
    clippy::indexing_slicing,
    reason = "label numbers are below the label count, and rows are cut by that count"
)]

use super::{Entity, EntityTagger};
use crate::{
    Error,
    model_file::{self, Hash, Reader, Writer},
};
use ko_eval_core::{ExactSum, Result, Signature, Signed, read::Lines};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use std::{path::Path, str::FromStr};

const MARK: &[u8; 8] = b"KOCGNER1";
/// What no path through the labels may cost.
const NEVER: f32 = -1e30;

/// A sentence with its entities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelled {
    text: String,
    entities: Vec<Entity>,
}

impl Labelled {
    /// The sentence.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its entities, in order.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }
}

impl FromStr for Labelled {
    type Err = Error;

    /// Reads KLUE's inline form: `<민수:PS>가 왔다.`
    fn from_str(line: &str) -> Result<Self, Error> {
        let mut sentence = Self { text: String::new(), entities: Vec::new() };
        let mut rest = line;
        while let Some((before, inside)) = rest.split_once('<') {
            sentence.text.push_str(before);
            let entity =
                inside.split_once('>').and_then(|(e, after)| Some((e.rsplit_once(':')?, after)));
            let ((form, kind), after) =
                entity.ok_or_else(|| Error::BadForm(format!("`<{inside}` is no `<text:KIND>`")))?;
            let start = sentence.text.len();
            sentence.text.push_str(form);
            let span = start..sentence.text.len();
            sentence.entities.push(Entity { kind: kind.to_owned(), span });
            rest = after;
        }
        sentence.text.push_str(rest);
        Ok(sentence)
    }
}

/// Reads a file in the form of KLUE-NER: a character, a tab and its label per line, a blank line
/// after each sentence, comments after `##`.
///
/// # Errors
/// When the file cannot be read, or a line has no label that fits.
pub fn read_klue(path: &Path) -> Result<Vec<Labelled>> {
    let mut sentences = Vec::new();
    let mut current = Labelled { text: String::new(), entities: Vec::new() };
    let mut lines = Lines::open(path)?;
    while let Some(line) = lines.next() {
        let line = line?;
        if line.starts_with("##") {
            continue;
        }
        if line.is_empty() {
            if !current.text.is_empty() {
                let empty = Labelled { text: String::new(), entities: Vec::new() };
                sentences.push(std::mem::replace(&mut current, empty));
            }
            continue;
        }
        let Some((character, label)) = line.rsplit_once('\t') else {
            return Err(lines.error("expected a character, a tab and a label"));
        };
        let start = current.text.len();
        current.text.push_str(character);
        let end = current.text.len();
        match label.split_once('-') {
            None if label == "O" => {}
            Some(("B", kind)) => {
                current.entities.push(Entity { kind: kind.to_owned(), span: start..end });
            }
            Some(("I", kind)) => match current.entities.last_mut() {
                Some(entity) if entity.kind == kind && entity.span.end == start => {
                    entity.span.end = end;
                }
                _ => return Err(lines.error(format!("`{label}` continues nothing"))),
            },
            _ => return Err(lines.error(format!("`{label}` is none of O, B-KIND, I-KIND"))),
        }
    }
    if !current.text.is_empty() {
        sentences.push(current);
    }
    Ok(sentences)
}

/// How a tagger is trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Training {
    /// How often it sees every sentence.
    pub epochs: usize,
    /// Decides the order of the sentences.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self { epochs: 8, seed: 42 }
    }
}

/// A trained tagger.
#[derive(Debug, Clone, PartialEq)]
pub struct BioTagger {
    labels: Labels,
    /// From a feature to its row of weights.
    rows: FxHashMap<u64, u32>,
    weights: Vec<f32>,
    /// From one label to the next, row by row; the last row is the sentence's beginning.
    transitions: Vec<f32>,
}

/// Label numbers: 0 is `O`; kind k begins with 2k + 1 and continues with 2k + 2.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Labels {
    kinds: Vec<String>,
}

impl Labels {
    fn len(&self) -> usize {
        2 * self.kinds.len() + 1
    }

    /// Whether `label` may follow `before`; `len` stands for the beginning.
    fn may_follow(&self, before: usize, label: usize) -> bool {
        let continues = label > 0 && label.is_multiple_of(2);
        !continues || before == label || before + 1 == label
    }

    /// The label of each character.
    fn of(&self, sentence: &Labelled) -> Vec<usize> {
        let label = |at: usize| {
            let entity = sentence.entities.iter().find(|e| e.span.contains(&at))?;
            let kind = self.kinds.iter().position(|kind| *kind == entity.kind)?;
            Some(2 * kind + if at == entity.span.start { 1 } else { 2 })
        };
        sentence.text.char_indices().map(|(at, _)| label(at).unwrap_or(0)).collect()
    }

    fn entities(&self, text: &str, labels: &[usize]) -> Vec<Entity> {
        let mut entities: Vec<Entity> = Vec::new();
        for ((at, c), &label) in text.char_indices().zip(labels) {
            let end = at + c.len_utf8();
            if label == 0 {
                continue;
            }
            if label.is_multiple_of(2) {
                if let Some(entity) = entities.last_mut() {
                    entity.span.end = end;
                }
            } else if let Some(kind) = self.kinds.get(label / 2) {
                entities.push(Entity { kind: kind.clone(), span: at..end });
            }
        }
        entities
    }
}

impl BioTagger {
    /// Learns from labelled sentences.
    ///
    /// # Errors
    /// [`Error::NoTrainingData`] if no sentence has an entity.
    pub fn train(sentences: &[Labelled], training: &Training) -> Result<Self, Error> {
        Self::train_with(sentences, training, |_| {})
    }

    /// The same, telling after each epoch how many are done.
    ///
    /// # Errors
    /// As [`BioTagger::train`].
    pub fn train_with(
        sentences: &[Labelled],
        training: &Training,
        mut after_epoch: impl FnMut(usize),
    ) -> Result<Self, Error> {
        let mut kinds: Vec<String> =
            sentences.iter().flat_map(|s| &s.entities).map(|e| e.kind.clone()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() {
            return Err(Error::NoTrainingData("no sentence has an entity"));
        }
        let labels = Labels { kinds };
        let mut rows = FxHashMap::default();
        let examples: Vec<Example> = sentences
            .iter()
            .map(|sentence| {
                let mut row = |key: u64| {
                    let next = rows.len() as u32;
                    *rows.entry(key).or_insert(next)
                };
                let features = features(&sentence.text)
                    .into_iter()
                    .map(|keys| keys.into_iter().map(&mut row).collect())
                    .collect();
                Example { features, labels: labels.of(sentence) }
            })
            .collect();
        let mut learner = Learner::new(&labels, rows.len());
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(training.seed);
        for epoch in 0..training.epochs {
            order.shuffle(&mut rng);
            for example in order.iter().filter_map(|&i| examples.get(i)) {
                learner.learn(&labels, example);
            }
            after_epoch(epoch + 1);
        }
        let (weights, transitions) = learner.average();
        Ok(Self { labels, rows, weights, transitions }.without_idle_rows())
    }

    /// Drops features that ended up saying nothing.
    fn without_idle_rows(mut self) -> Self {
        let width = self.labels.len();
        let mut weights = Vec::new();
        self.rows.retain(|_, row| {
            let old = &self.weights[*row as usize * width..][..width];
            let keep = old.iter().any(|w| *w != 0.0);
            if keep {
                *row = (weights.len() / width) as u32;
                weights.extend_from_slice(old);
            }
            keep
        });
        self.weights = weights;
        self
    }

    /// The kinds it knows.
    pub fn kinds(&self) -> &[String] {
        &self.labels.kinds
    }

    /// Writes the model to a file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut out = Writer::new(MARK);
        out.count(self.labels.kinds.len());
        self.labels.kinds.iter().for_each(|kind| out.text(kind));
        self.transitions.iter().for_each(|&w| out.weight(w));
        out.count(self.rows.len());
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_unstable();
        let width = self.labels.len();
        for (&key, &row) in rows {
            out.key(key);
            self.weights[row as usize * width..][..width].iter().for_each(|&w| out.weight(w));
        }
        out.save(path)
    }

    /// Reads a model, or learns from a file of labelled sentences, whichever the file is.
    ///
    /// # Errors
    /// As [`BioTagger::load`], [`read_klue`] and [`BioTagger::train`].
    pub fn open(path: &Path) -> Result<Self> {
        if model_file::is_marked(path, MARK)? {
            return Self::load(path);
        }
        Ok(Self::train(&read_klue(path)?, &Training::default())?)
    }

    /// Reads a model that [`BioTagger::save`] wrote.
    ///
    /// # Errors
    /// When the file cannot be read or is no such model.
    pub fn load(path: &Path) -> Result<Self> {
        model_file::load(path, |bytes| {
            let mut file = Reader::new(bytes, MARK)?;
            let kinds = (0..file.count(4)?).map(|_| file.text()).collect::<Result<_, _>>()?;
            let labels = Labels { kinds };
            let width = labels.len();
            let transitions =
                (0..(width + 1) * width).map(|_| file.weight()).collect::<Result<_, _>>()?;
            let count = file.count(8 + 4 * width)?;
            let mut rows = FxHashMap::default();
            let mut weights = Vec::with_capacity(count * width);
            for row in 0..count {
                rows.insert(file.key()?, row as u32);
                for _ in 0..width {
                    weights.push(file.weight()?);
                }
            }
            file.end()?;
            Ok(Self { labels, rows, weights, transitions })
        })
    }
}

impl Signed for BioTagger {
    fn signature(&self) -> Signature {
        // The sum of all weights tells two models apart.
        let mut sum = ExactSum::default();
        self.weights.iter().for_each(|w| sum.add(f64::from(*w).abs()));
        Signature::new("bio-perceptron")
            .with("kinds", self.labels.kinds.join(","))
            .with("features", self.rows.len())
            .with("weight", format!("{:.3}", sum.value()))
    }
}

impl EntityTagger for BioTagger {
    fn entities(&self, text: &str) -> Result<Vec<Entity>> {
        let rows: Vec<Vec<u32>> = features(text)
            .into_iter()
            .map(|keys| keys.iter().filter_map(|key| self.rows.get(key).copied()).collect())
            .collect();
        let labels = viterbi(&self.labels, &rows, &self.weights, &self.transitions);
        Ok(self.labels.entities(text, &labels))
    }
}

/// A sentence in numbers.
struct Example {
    /// Rows of weights, per character.
    features: Vec<Vec<u32>>,
    labels: Vec<usize>,
}

/// Weights while they are learnt; `…_total` sums each change times the step it was made at.
struct Learner {
    width: usize,
    step: f32,
    weights: Vec<f32>,
    weights_total: Vec<f32>,
    transitions: Vec<f32>,
    transitions_total: Vec<f32>,
}

impl Learner {
    fn new(labels: &Labels, rows: usize) -> Self {
        let width = labels.len();
        let (cells, pairs) = (rows * width, (width + 1) * width);
        Self {
            width,
            step: 1.0,
            weights: vec![0.0; cells],
            weights_total: vec![0.0; cells],
            transitions: vec![0.0; pairs],
            transitions_total: vec![0.0; pairs],
        }
    }

    fn learn(&mut self, labels: &Labels, example: &Example) {
        let guess = viterbi(labels, &example.features, &self.weights, &self.transitions);
        let (mut right_before, mut guess_before) = (self.width, self.width);
        for ((rows, &right), &guess) in example.features.iter().zip(&example.labels).zip(&guess) {
            if right != guess {
                for &row in rows {
                    self.change(row as usize * self.width + right, 1.0);
                    self.change(row as usize * self.width + guess, -1.0);
                }
            }
            if right != guess || right_before != guess_before {
                self.change_transition(right_before * self.width + right, 1.0);
                self.change_transition(guess_before * self.width + guess, -1.0);
            }
            (right_before, guess_before) = (right, guess);
        }
        self.step += 1.0;
    }

    fn change(&mut self, cell: usize, by: f32) {
        self.weights[cell] += by;
        self.weights_total[cell] += by * self.step;
    }

    fn change_transition(&mut self, cell: usize, by: f32) {
        self.transitions[cell] += by;
        self.transitions_total[cell] += by * self.step;
    }

    /// The mean of the weights over all steps.
    fn average(self) -> (Vec<f32>, Vec<f32>) {
        let steps = self.step;
        let mean = |now: Vec<f32>, total: Vec<f32>| {
            now.into_iter().zip(total).map(|(now, total)| now - total / steps).collect()
        };
        (mean(self.weights, self.weights_total), mean(self.transitions, self.transitions_total))
    }
}

/// The best labels of a sentence.
fn viterbi(
    labels: &Labels,
    features: &[Vec<u32>],
    weights: &[f32],
    transitions: &[f32],
) -> Vec<usize> {
    let width = labels.len();
    let mut best = vec![NEVER; width];
    let mut came_from: Vec<usize> = Vec::with_capacity(features.len() * width);
    let mut emission = vec![0.0f32; width];
    for (at, rows) in features.iter().enumerate() {
        emission.fill(0.0);
        for &row in rows {
            let row = &weights[row as usize * width..][..width];
            emission.iter_mut().zip(row).for_each(|(sum, w)| *sum += w);
        }
        let mut next = vec![NEVER; width];
        for label in 0..width {
            let before = if at == 0 { width..width + 1 } else { 0..width };
            let candidates = before.filter(|&b| labels.may_follow(b, label)).map(|before| {
                let so_far = if at == 0 { 0.0 } else { best[before] };
                (so_far + transitions[before * width + label], before)
            });
            let (score, before) = candidates.fold((NEVER, 0), |a, b| if b.0 > a.0 { b } else { a });
            next[label] = score + emission[label];
            came_from.push(before);
        }
        best = next;
    }
    let Some((mut label, _)) = best
        .iter()
        .enumerate()
        .reduce(|a, b| if b.1 > a.1 { b } else { a })
        .filter(|_| !features.is_empty())
    else {
        return Vec::new();
    };
    let mut path = Vec::with_capacity(features.len());
    for from in came_from.chunks_exact(width).rev() {
        path.push(label);
        label = from[label];
    }
    path.reverse();
    path
}

/// The features of every character of a text.
fn features(text: &str) -> Vec<Vec<u64>> {
    let chars: Vec<char> = text.chars().map(folded).collect();
    let get =
        |i: isize| usize::try_from(i).ok().and_then(|i| chars.get(i)).copied().unwrap_or('\0');
    let mut all = Vec::with_capacity(chars.len());
    for (i, _) in chars.iter().enumerate() {
        let word_from = chars[..i].iter().rposition(|c| *c == ' ').map_or(0, |p| p + 1);
        let word_to = chars[i..].iter().position(|c| *c == ' ').map_or(chars.len(), |p| i + p);
        let word_to = word_to.max(word_from);
        let at = i as isize;
        let window = |template: u32, offsets: std::ops::RangeInclusive<isize>| {
            Hash::new(template).chars(offsets.map(|o| get(at + o))).value()
        };
        let mut keys = vec![
            window(0, 0..=0),
            window(1, -1..=-1),
            window(2, 1..=1),
            window(3, -2..=-2),
            window(4, 2..=2),
            window(5, -1..=0),
            window(6, 0..=1),
            window(7, -2..=-1),
            window(8, 1..=2),
            window(9, -2..=0),
            window(10, -1..=1),
            window(11, 0..=2),
            window(12, -3..=0),
            window(13, 0..=3),
            window(14, -1..=2),
            window(15, -2..=1),
            Hash::new(16).chars((-2..=2).map(|o| class(get(at + o)))).value(),
            Hash::new(17).chars((-1..=1).map(|o| class(get(at + o)))).chars([get(at)]).value(),
        ];
        // The word, and where in it the character stands.
        let place = (i - word_from.min(i)) as u32;
        let left = (word_to - i.min(word_to)) as u32;
        keys.push(Hash::new(18).add(place.min(4)).add(left.min(4)).value());
        let word = |from: usize, to: usize| chars.get(from..to).unwrap_or_default().iter().copied();
        keys.push(Hash::new(19).add(place).chars(word(word_from, word_to)).value());
        keys.push(Hash::new(20).chars(word(word_from, i + 1)).value());
        keys.push(Hash::new(21).chars(word(i, word_to)).value());
        keys.push(
            Hash::new(22).add(place.min(6)).chars(word(word_to.saturating_sub(2), word_to)).value(),
        );
        // The words beside it.
        let before_to = word_from.saturating_sub(1);
        let before_from = chars[..before_to].iter().rposition(|c| *c == ' ').map_or(0, |p| p + 1);
        keys.push(Hash::new(23).add(place.min(1)).chars(word(before_from, before_to)).value());
        let after_from = (word_to + 1).min(chars.len());
        let after = chars[after_from..].iter().position(|c| *c == ' ');
        let after_to = after.map_or(chars.len(), |p| after_from + p);
        keys.push(Hash::new(24).add(left.min(2)).chars(word(after_from, after_to)).value());
        all.push(keys);
    }
    all
}

/// Digits are alike.
fn folded(c: char) -> char {
    if c.is_ascii_digit() { '0' } else { c }
}

/// What sort of character it is.
fn class(c: char) -> char {
    match c {
        '\0' => '^',
        ' ' => ' ',
        '0' => '0',
        '가'..='힣' => '가',
        c if c.is_ascii_uppercase() => 'A',
        c if c.is_ascii_lowercase() => 'a',
        '\u{4e00}'..='\u{9fff}' => '漢',
        '(' | '[' | '‘' | '“' | '<' | '\'' | '"' => '(',
        ')' | ']' | '’' | '”' | '>' => ')',
        _ => '.',
    }
}

#[cfg(test)]
mod tests {
    use super::super::EntityCounts;
    use super::*;

    fn sentences() -> Vec<Labelled> {
        let people = ["민수", "영희", "철수", "지은", "준호", "수빈"];
        let places = ["부산", "대구", "제주도", "강릉"];
        let mut sentences = Vec::new();
        for (i, person) in people.iter().enumerate() {
            for (j, place) in places.iter().enumerate() {
                let line = match (i + j) % 3 {
                    0 => format!("<{person}:PS>는 오늘 <{place}:LC>에 갔다."),
                    1 => format!("<{place}:LC>에서 <{person}:PS>가 비를 만났다."),
                    _ => format!("학교에서 <{person}:PS>의 동생이 책을 읽는다."),
                };
                sentences.push(line.parse().unwrap());
            }
        }
        sentences
    }

    #[test]
    fn learns_and_loads_back() {
        let sentences = sentences();
        let tagger = BioTagger::train(&sentences, &Training::default()).unwrap();
        let counts = EntityCounts::of(&tagger, &sentences).unwrap();
        assert_eq!((counts.right, counts.found), (counts.there, counts.there), "{counts:?}");
        assert_eq!(tagger.entities("학교에서 동생이 책을 읽는다.").unwrap(), []);
        let file = tempfile::NamedTempFile::new().unwrap();
        tagger.save(file.path()).unwrap();
        let loaded = BioTagger::open(file.path()).unwrap();
        assert_eq!(loaded.signature(), tagger.signature());
        for text in ["영희가 강릉에 있다.", "", "   ", "대구"] {
            assert_eq!(loaded.entities(text).unwrap(), tagger.entities(text).unwrap());
        }
    }

    #[test]
    fn a_damaged_model_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        BioTagger::train(&sentences(), &Training { epochs: 1, seed: 1 })
            .unwrap()
            .save(file.path())
            .unwrap();
        let whole = std::fs::read(file.path()).unwrap();
        for bytes in [
            &whole[..whole.len() - 1],
            &whole[..20],
            b"",
            b"KOCGNER1\xff\xff\xff\xff",
            &[&whole[..], b"x"].concat(),
        ] {
            std::fs::write(file.path(), bytes).unwrap();
            assert!(BioTagger::load(file.path()).is_err(), "{} bytes", bytes.len());
        }
    }

    #[test]
    fn reads_the_published_form() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "## 주석\n부\tB-LC\n산\tI-LC\n \tO\n#\tO\n\n비\tO").unwrap();
        let sentences = read_klue(file.path()).unwrap();
        assert_eq!(sentences[0], "<부산:LC> #".parse().unwrap());
        assert_eq!(sentences[1].text(), "비");
        assert_eq!(BioTagger::open(file.path()).unwrap().kinds(), ["LC"]);
        std::fs::write(file.path(), "부\tB-LC\n산\tI-PS\n").unwrap();
        let error = read_klue(file.path()).unwrap_err().to_string();
        assert!(error.contains(":2:") && error.contains("I-PS"), "{error}");
    }

    #[test]
    fn nothing_to_learn_is_an_error() {
        let plain = ["비가 온다.".parse().unwrap()];
        assert!(matches!(
            BioTagger::train(&plain, &Training::default()),
            Err(Error::NoTrainingData(_))
        ));
    }
}
