//! A file in the very form in which the Sejong treebank is distributed: UTF-16 with a byte-order mark, CRLF, a document type, a TEI header,
//! tags, trees over several lines, brackets with leaves of their own, final consonants as conjoining jamo, quotation marks that text and
//! tree write differently, labels with a hyphen, asterisks, pluses without spaces or of the text itself, and broken trees. It is written
//! by us (tests/sejong); no sentence of it is the corpus's.

use ko_probe::{Task, Treebank, conllu, sejong::Reader};
use std::{io::Cursor, path::Path};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sejong/BGXX0001.txt");

#[test]
fn the_file_is_in_the_form_it_claims() {
    let bytes = std::fs::read(FILE).unwrap();
    assert!(bytes.starts_with(b"\xff\xfe<\0!\0D\0O\0C\0"));
    assert!(bytes.windows(4).any(|four| four == b"\r\0\n\0"));
}

#[test]
fn sentences_come_without_the_markup() {
    let (mut texts, mut errors) = (Vec::new(), Vec::new());
    for sentence in Reader::open(FILE).unwrap() {
        match sentence {
            Ok(sentence) => texts.push(format!("{} {}", sentence.origin.id, sentence.text)),
            Err(error) => errors.push(error.to_string()),
        }
    }
    assert_eq!(
        texts,
        [
            "BGXX0001-1 오래된 도서관",
            "BGXX0001-2 우리 마을에는 아주 오래된 도서관이 있다.",
            "BGXX0001-3 사람들은 그곳을 책의 집(書庫)이라고 부른다.",
            "BGXX0001-4 어제는 비가 많이 와서 아무도 오지 않았다.",
            "BGXX0001-5 할머니께서 나에게 옛날 책을 한 권 주셨습니다.",
            "BGXX0001-6 너는 내일도 이 도서관에 올 거니?",
            "BGXX0001-7 사서와 아이들이 창가에서 조용히 책을 읽고 있었다.",
            "BGXX0001-8 도서관에서는 뛰지 말고 천천히 걸어라.",
            "BGXX0001-9 아, 선생님께서 “책을 읽어라”라고 학생들에게 말씀하셨다.",
            "BGXX0001-10 여러분, 이번 시험 점수는 국어+수학(2과목)으로 계산한 점수입니다.",
        ]
    );
    let name = Path::new(FILE).display().to_string();
    let wanted = [
        "a sentence begins before the tree above is closed",
        "`Q=\"1/Q` is not a morpheme with a Sejong tag",
        "the tree is closed here, but it goes on",
        "`(NPSBJ`: `NPSBJ` is no phrase; expected one of S, Q, NP",
        "no tree follows the sentence",
    ];
    assert_eq!(errors.len(), wanted.len(), "{errors:?}");
    for (error, wanted) in errors.iter().zip(wanted) {
        assert!(error.starts_with(&format!("{name}:")) && error.contains(wanted), "{error}");
    }
}

/// Everything that is converted is CoNLL-U whose words spell the sentence.
#[test]
fn conversions_read_back() {
    let sentences: Vec<_> = Reader::open(FILE).unwrap().filter_map(Result::ok).collect();
    let written: String = sentences.iter().map(conllu::write).collect();
    let again: Vec<_> = conllu::Reader::new("again.conllu", Cursor::new(written.clone()))
        .map(Result::unwrap)
        .collect();
    assert_eq!(again.len(), sentences.len());
    for (again, sentence) in again.iter().zip(&sentences) {
        assert_eq!((&again.text, &again.words), (&sentence.text, &sentence.words));
        let eojeols = sentence.eojeol_numbers().last().map_or(0, |last| last + 1);
        assert_eq!(eojeols, sentence.eojeols(), "{}", sentence.text);
    }
    for line in [
        "4\t집\t집\tNOUN\tNNG\t_\t9\tccomp\t_\tSpaceAfter=No",
        "8\t이라고\t이라고\tADP\tJKQ\t_\t4\tcase\t_\t_",
        "6\t오지\t오+지\tVERB\tVV+EC\t_\t0\troot\t_\t_",
        // Quotation marks as the text writes them, and a particle behind them.
        "4\t“\t\"\tPUNCT\tSS\t_\t6\tpunct\t_\tSpaceAfter=No",
        "8\t라고\t라고\tADP\tJKQ\t_\t6\tcase\t_\t_",
        // The asterisk and the number of the sense are the annotators'.
        "3\t이번\t이번\tNOUN\tNNG\t_\t4\tcompound\t_\t_",
        // `NP-SBJ` is `NP_SBJ`, `점수/NNG+는/JX` two morphemes, `+/SW` one.
        "5\t점수는\t점수+는\tNOUN\tNNG+JX\t_\t12\tnsubj\t_\t_",
        "6\t국어+수학\t국어+++수학\tNOUN\tNNG+SW+NNG\t_\t11\tobl\t_\tSpaceAfter=No",
    ] {
        assert!(written.contains(line), "{line} in\n{written}");
    }
}

#[test]
fn tasks_are_built_from_sentences_of_five_to_28_eojeols() {
    let treebank = Treebank::read_sejong(&[FILE], None).unwrap();
    assert_eq!(treebank.sentences.len(), 9);
    assert_eq!(treebank.broken.len(), 5);
    let dropped: Vec<_> = treebank.dropped.iter().map(|(why, n)| (why.as_str(), *n)).collect();
    assert_eq!(dropped, [("broken tree", 5), ("under 5 eojeols", 1)]);
    let labels = |task: &str| -> Vec<String> {
        let data = (Task::by_name(task).unwrap().label)(&treebank, &ko_probe::Options::default());
        data.examples.iter().map(|example| data.classes[example.class].clone()).collect()
    };
    let (past, present) = ("past".to_owned(), "non-past".to_owned());
    assert_eq!(
        labels("Tense"),
        [&present, &present, &past, &past, &present, &past, &present, &past, &present]
            .map(Clone::clone)
    );
    let mut types = ["other"; 9];
    (types[4], types[6]) = ("interrogative", "imperative");
    assert_eq!(labels("SentType"), types);
    assert_eq!(labels("Negation")[2], "negated");
    assert_eq!(labels("Honorifics")[3], "honorific");
    let both = treebank.clone().joined(treebank);
    assert_eq!((both.sentences.len(), both.dropped["broken tree"]), (18, 10));
}
