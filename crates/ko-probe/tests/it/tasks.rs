//! Every task on hand-made trees, with the exact labels.

use ko_probe::{
    Balance, Dataset, Options, Part, Sentence, Split, TASKS, Task, Treebank, WordLimits,
    conllu::Reader, senteval,
};

/// A word per entry: `form lemma xpos head relation`; `.` at the end is joined to the word before it.
fn sentence(words: &[&str]) -> String {
    let mut out = String::new();
    for (number, word) in words.iter().enumerate() {
        let [form, lemma, xpos, head, relation] =
            word.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let joined = words.get(number + 1).is_some_and(|next| next.contains(" punct"));
        let misc = if joined { "SpaceAfter=No" } else { "_" };
        let (xpos, feats) = xpos.split_once('!').unwrap_or((xpos, "_"));
        out += &format!(
            "{}\t{form}\t{lemma}\t_\t{xpos}\t{feats}\t{head}\t{relation}\t_\t{misc}\n",
            number + 1
        );
    }
    out + "\n"
}

fn parse(text: String) -> Vec<Sentence> {
    Reader::new("t.conllu", std::io::Cursor::new(text)).collect::<Result<_, _>>().unwrap()
}

fn treebank(sentences: &[&[&str]]) -> Treebank {
    let text = sentences.iter().map(|words| sentence(words)).collect();
    Treebank::new(parse(text), None).unwrap()
}

/// The labels of all examples, before they are dealt out.
fn labels(task: &str, treebank: &Treebank) -> Vec<String> {
    let data = (Task::by_name(task).unwrap().label)(treebank, &Options::default());
    data.examples.iter().map(|example| data.classes[example.class].clone()).collect()
}

/// The shape of the paper's first figure: a root with `advcl` and `obj`, six nodes deep.
const FIGURE_1: &[&str] = &[
    "문을 문+을 NNG+JKO 2 obj",
    "열고 열+고 VV+EC 8 advcl",
    "친구의 친구+의 NNG+JKG 4 nmod",
    "방의 방+의 NNG+JKG 5 nmod",
    "사진을 사진+을 NNG+JKO 6 obj",
    "찍은 찍+은 VV+ETM 7 acl",
    "사람을 사람+을 NNG+JKO 8 obj",
    "보았다 보+았+다 VV+EP+EF 0 root",
    ". . SF 8 punct",
];

/// UD Kaist: its tags, a topic that hangs as `dislocated`, an auxiliary with only its stem as lemma.
const KAIST: &[&str] = &[
    "할머니께서는 할머니+께서+는 ncn+jcs+jxt 3 dislocated",
    "아직 아직 mag 3 advmod",
    "주무시지 주무시+지 pvg+ecx 0 root",
    "않으셨습니다 않 px+ep+ep+ef 3 aux",
    ". . sf 3 punct",
];

/// UD KSL: 수 as the subject; the real one is that of the clause before it.
const POSSIBLE: &[&str] = &[
    "내가 내+가 NP+JKS 2 nsubj",
    "갈 가+ㄹ VV+ETM 3 acl",
    "수 수 NNB 4 nsubj",
    "있을까 있+을까 VV+EF 0 root",
    "? ? SF 4 punct",
];

const IMPOSSIBLE: &[&str] = &[
    "거기는 거기+는 NP+JX 2 obl",
    "갈 가+ㄹ VV+ETM 3 acl",
    "수 수 NNB 4 nsubj",
    "없다 없+다 VA+EF 0 root",
    ". . SF 4 punct",
];

const REQUEST: &[&str] = &[
    "맛집 맛집 NNG 2 nsubj",
    "있으면 있+으면 VV+EC 4 advcl",
    "좀 좀 MAG 4 advmod",
    "알려줘 알리+어+주+어 VV+EC+VX+EF 0 root",
    ". . SF 4 punct",
];

#[test]
fn figure_1_is_six_deep_and_advcl_obj() {
    let treebank = treebank(&[FIGURE_1]);
    assert_eq!(labels("TreeDepth", &treebank), ["6"]);
    assert_eq!(labels("TopDeps", &treebank), ["advcl_obj"]);
    assert_eq!(labels("SentLen", &treebank), ["5-8"]);
    assert_eq!(labels("SubjOmission", &treebank), ["omitted"]);
    assert_eq!(labels("Tense", &treebank), ["past"]);
    assert_eq!(labels("SentType", &treebank), ["other"]);
    assert_eq!(labels("Negation", &treebank), ["affirmative"]);
    assert_eq!(labels("Honorifics", &treebank), ["plain"]);
}

#[test]
fn labels_come_from_either_tag_set() {
    let treebank = treebank(&[KAIST, POSSIBLE, IMPOSSIBLE, REQUEST]);
    assert_eq!(labels("SubjOmission", &treebank), ["present", "present", "omitted", "omitted"]);
    assert_eq!(labels("Tense", &treebank), ["past", "non-past", "non-past", "non-past"]);
    assert_eq!(labels("SentType", &treebank), ["other", "interrogative", "other", "imperative"]);
    assert_eq!(labels("Negation", &treebank), ["negated", "affirmative", "negated", "affirmative"]);
    assert_eq!(labels("Honorifics", &treebank), ["honorific", "plain", "plain", "plain"]);
    // Two are too flat, and it is said so.
    let data = (Task::by_name("TreeDepth").unwrap().label)(&treebank, &Options::default());
    assert_eq!((data.examples.len(), data.dropped["depth under 4"]), (2, 2));
    assert_eq!(labels("TreeDepth", &treebank), ["4", "4"]);
}

#[test]
fn a_mood_label_decides_where_there_is_one() {
    let treebank = treebank(&[
        &["가라 _ VV!Mood=Imp 0 root", ". . . 1 punct"],
        &["가니 _ VV!Mood=Int 0 root", ". . . 1 punct"],
        &["간다 _ VV!Mood=Ind 0 root", ". . . 1 punct"],
        &["가고 _ VV 0 root", "있다 _ VX!Mood=Ind 1 aux", "? ? . 1 punct"],
        &["꽃 _ NN 0 root"],
    ]);
    assert_eq!(
        labels("SentType", &treebank),
        ["imperative", "interrogative", "other", "interrogative"]
    );
    // Neither morphemes nor an analyzer: the other tasks leave such sentences out and say why.
    let data = (Task::by_name("Tense").unwrap().label)(&treebank, &Options::default());
    assert_eq!(data.examples.len(), 0);
    assert_eq!(data.dropped["no morphemes in the treebank, and no analyzer given"], 5);
}

#[test]
fn only_sentences_of_5_to_28_eojeols_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.conllu");
    let of_length = |n: usize| {
        let words: Vec<_> = (0..n).map(|i| format!("말 말 NNG {i} dep")).collect();
        sentence(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    std::fs::write(&path, [4, 5, 28, 29, 40].map(of_length).concat()).unwrap();
    let treebank = Treebank::read(&[&path], None).unwrap();
    assert_eq!(treebank.sentences.len(), 2);
    assert_eq!((treebank.dropped["under 5 eojeols"], treebank.dropped["over 28 eojeols"]), (1, 2));
    assert!(Treebank::read(&[folder.path().join("none")], None).is_err());
}

#[test]
fn wc_takes_sentences_with_exactly_one_chosen_word() {
    let text = |words: &[&str]| -> String {
        let last = words.len();
        let rows: Vec<_> = words
            .iter()
            .enumerate()
            .map(|(i, word)| {
                format!("{word} {word} NNG {} dep", if i + 1 == last { 0 } else { last })
            })
            .collect();
        sentence(&rows.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let mut corpus = String::new();
    for i in 0..6 {
        corpus += &text(&["봄", &format!("꽃{i}")]);
        corpus += &text(&["\"여름,", &format!("비{i}")]);
    }
    corpus += &text(&["봄", "여름"]);
    corpus += &text(&["가을", "가을", "가을", "가을", "가을"]); // frequent, but in one sentence only
    corpus += &text(&["겨울"]);
    let treebank = Treebank::new(parse(corpus), None).unwrap();
    let words = WordLimits { at_least: 5, at_most: 7, sentences: 4 };
    let options = Options { words, ..Options::default() };
    let data = (Task::by_name("wc").unwrap().label)(&treebank, &options);
    assert_eq!(data.classes, ["봄", "여름"]);
    assert_eq!(data.counts(None), [6, 6]);
    assert_eq!(data.dropped["several of the chosen words"], 1);
    assert_eq!(data.dropped["none of the chosen words"], 2);
}

#[test]
fn other_stays_under_its_share() {
    // 19 sequences of 40 sentences each, and 100 sentences with sequences of their own.
    let relations = |n: usize| {
        let rows: Vec<_> = (0..n).map(|_| format!("말 말 NNG {} obl", n + 1)).collect();
        let mut rows: Vec<_> = rows.iter().map(String::as_str).collect();
        rows.push("가 가+아 VV+EF 0 root");
        sentence(&rows)
    };
    let mut corpus: String = (1..=19).map(|n| relations(n).repeat(40)).collect();
    corpus += &(20..120).map(relations).collect::<String>();
    let treebank = Treebank::new(parse(corpus), None).unwrap();
    let data = (Task::by_name("TopDeps").unwrap().label)(&treebank, &Options::default());
    assert_eq!(data.classes.len(), 20);
    let counts = data.counts(None);
    assert_eq!((counts[0], counts[19]), (40, 40)); // 40 of 800 is 5 %
    assert_eq!(data.dropped["OTHER over its share of 5 %"], 60);
}

#[test]
fn somo_swaps_like_for_like_and_coord_inv_swaps_endings() {
    let rain = [
        "비가 비+가 NNG+JKS 2 nsubj",
        "오고 오+고 VV+EC 0 root",
        "바람이 바람+이 NNG+JKS 4 nsubj",
        "분다 불+ㄴ다 VV+EF 2 conj",
        ". . SF 4 punct",
    ];
    let forms = ["온다 오+ㄴ다 VV+EF 0 root"];
    let more = ["불고 불+고 VV+EC 0 root"];
    let mut sentences: Vec<&[&str]> = vec![&forms, &more];
    sentences.extend(std::iter::repeat_n(&rain[..], 20));
    let treebank = treebank(&sentences);
    let data = (Task::by_name("CoordInv").unwrap().label)(&treebank, &Options::default());
    let of = |label: &str| {
        let mut texts: Vec<_> = data
            .examples
            .iter()
            .filter(|e| data.classes[e.class] == label)
            .map(|e| e.text.as_str())
            .collect();
        texts.dedup();
        texts
    };
    assert_eq!(
        (of("original"), of("inverted")),
        (vec!["비가 오고 바람이 분다."], vec!["바람이 불고 비가 온다."])
    );
    let data = (Task::by_name("SOMO").unwrap().label)(&treebank, &Options::default());
    let changed: Vec<_> =
        data.examples.iter().filter(|e| data.classes[e.class] == "changed").collect();
    assert!(!changed.is_empty());
    for example in changed {
        assert!(!example.text.starts_with("비가 오고 바람이 분다"), "{}", example.text);
    }
}

#[test]
fn parts_have_the_same_mixture_and_depend_on_the_seed_alone() {
    let mut data = Dataset::new("Tense");
    let origin = parse(sentence(FIGURE_1)).remove(0).origin;
    for i in 0..300 {
        let label = if i % 3 == 0 { "past" } else { "non-past" };
        data.push(label, format!("문장 {i}"), origin.clone());
    }
    data.push("rare", "드문 문장", origin.clone());
    data.push("past", "문장 0", origin);
    let split = Split::default();
    let dealt = split.apply(data.clone());
    assert_eq!(dealt.classes, ["past", "non-past"]);
    assert_eq!(dealt.counts(Some(Part::Train)), [80, 160]);
    assert_eq!(dealt.counts(Some(Part::Dev)), [10, 20]);
    assert_eq!(dealt.counts(Some(Part::Test)), [10, 20]);
    assert_eq!(dealt.dropped["class under 3 sentences"], 1);
    assert_eq!(dealt.dropped["repeated sentence"], 1);
    assert_eq!(split.apply(data.clone()), dealt);
    let other = Split::new(0.1, 0.1, Balance::Natural, 1).unwrap().apply(data.clone());
    assert_ne!(other, dealt);
    let balanced = Split::new(0.2, 0.2, Balance::Equal, 1).unwrap().apply(data);
    assert_eq!(balanced.counts(None), [100, 100]);
    for bad in [(0.0, 0.1), (0.5, 0.5), (f64::NAN, 0.1), (-0.1, 0.2)] {
        assert!(Split::new(bad.0, bad.1, Balance::Natural, 1).is_err(), "{bad:?}");
    }
    // Random labels keep the mixture of every part.
    let control = dealt.with_random_labels(3);
    assert_ne!(control, dealt);
    assert_eq!(control.counts(Some(Part::Test)), dealt.counts(Some(Part::Test)));
    // And the text format gives it all back.
    let folder = tempfile::tempdir().unwrap();
    let path = senteval::save(&dealt, folder.path()).unwrap();
    let again = senteval::open("Tense", path).unwrap();
    assert_eq!(again.counts(Some(Part::Dev)), dealt.counts(Some(Part::Dev)));
    let texts = |data: &Dataset| data.examples.iter().map(|e| e.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&again), texts(&dealt));
}

#[test]
fn broken_senteval_lines_are_named() {
    for (text, expected) in [
        ("tr\ta\t가\nxx\ta\t나\n", "t.txt:2: `xx` is not"),
        ("tr\ta\n", "t.txt:1: expected part, label"),
    ] {
        let error = senteval::read("T", "t.txt", text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn the_table_is_in_order() {
    let names: Vec<_> = Task::defaults().map(|task| task.name).collect();
    let nine = [
        "SentLen",
        "WC",
        "TreeDepth",
        "TopDeps",
        "SubjOmission",
        "Tense",
        "SentType",
        "Negation",
        "Honorifics",
    ];
    assert_eq!(names, nine);
    let treebank = treebank(&[FIGURE_1]);
    for task in TASKS {
        // A name twice would hide a row; a task must call its data by its name.
        assert_eq!(Task::by_name(task.name).unwrap().summary, task.summary);
        assert_eq!(task.build(&treebank, &Options::default()).task, task.name);
    }
    let error = Task::by_name("Length").unwrap_err().to_string();
    assert!(error.contains("SentLen, WC"), "{error}");
}
