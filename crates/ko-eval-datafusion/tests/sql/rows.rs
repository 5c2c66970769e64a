//! Functions of one row say what the library says.

use crate::table::{ask, number, numbers, pairs, with_pairs, with_texts};
use datafusion::arrow::{
    array::{Array, ArrayRef, AsArray, StringArray, StringViewArray},
    datatypes::Int64Type,
};
use ko_eval::Scorer as _;
use std::sync::Arc;

#[test]
fn scores_of_segments() {
    let rows = pairs(40);
    let batch =
        ask(&with_pairs(&rows, 1), "SELECT ko_score('chrf', 'char', hyp, refs) AS s FROM pairs")
            .unwrap();
    let metric = ko_eval::metric("chrf", "char").unwrap();
    for (row, found) in rows.iter().zip(numbers(&batch, "s")) {
        let wanted = metric.segment_score(&row.segment().as_segment()).unwrap().value;
        assert_eq!(found, Some(wanted));
    }
    let context = with_pairs(&rows, 1);
    assert_eq!(number(&context, "SELECT ko_score('chrf', 'char', '밥', NULL)"), None);
    assert_eq!(number(&context, "SELECT ko_score('chrf', 'char', '밥', '밥')"), Some(100.0));
}

#[test]
fn units_of_texts() {
    let texts: ArrayRef = Arc::new(StringViewArray::from(vec![Some("넓다"), None, Some("")]));
    let batch =
        ask(&with_texts("t", texts), "SELECT ko_tokens('jamo:form=split', t) FROM texts").unwrap();
    let lists = batch.column(0).as_list::<i32>();
    let first = lists.value(0);
    let units: Vec<&str> = first.as_string::<i32>().iter().map(Option::unwrap).collect();
    assert_eq!(units.concat(), "ㄴㅓㄹㅂㄷㅏ");
    assert!(lists.is_null(1));
    assert!(lists.is_valid(2) && lists.value(2).is_empty());
}

#[test]
fn morphemes_of_texts() {
    let text = "나는 밥을 먹었다.";
    let context = with_texts("t", Arc::new(StringArray::from(vec![Some(text), None])));
    let answer = ask(&context, "SELECT ko_morphemes('mecab', t) FROM texts");
    let analyzer = match ko_eval::tokenize::analyzer_by_name("mecab") {
        Ok(analyzer) => analyzer,
        Err(error) => return assert!(answer.unwrap_err().to_string().contains(&error.to_string())),
    };
    let answer = answer.unwrap();
    let lists = answer.column(0).as_list::<i32>();
    let first = lists.value(0);
    let rows = first.as_struct();
    let wanted = analyzer.analyze(text).unwrap();
    assert_eq!(rows.len(), wanted.len());
    let letters: Vec<char> = text.chars().collect();
    for (place, morpheme) in wanted.iter().enumerate() {
        let part = |name: &str| {
            rows.column_by_name(name).unwrap().as_string::<i32>().value(place).to_owned()
        };
        let at = |name: &str| {
            rows.column_by_name(name).unwrap().as_primitive::<Int64Type>().value(place) as usize
        };
        assert_eq!(
            (part("form"), part("tag")),
            (morpheme.form.to_string(), morpheme.tag.to_string())
        );
        let covered: String = letters[at("start")..at("end")].iter().collect();
        assert_eq!(covered, text[morpheme.span.clone()]);
    }
    assert!(lists.is_null(1));
}

#[test]
fn normal_forms_and_registers() {
    let decomposed = "\u{1112}\u{1161}\u{11ab}글 ㈜";
    let texts = StringArray::from(vec![
        Some(decomposed),
        None,
        Some("어서 오십시오."),
        Some("나는 밥을 먹었어."),
    ]);
    let context = with_texts("t", Arc::new(texts));
    let text = |sql: &str| {
        let batch = ask(&context, sql).unwrap();
        batch
            .column(0)
            .as_string::<i32>()
            .iter()
            .map(|text| text.map(str::to_owned))
            .collect::<Vec<_>>()
    };
    assert_eq!(text("SELECT ko_normalize(t) FROM texts")[..2], [Some("한글 ㈜".to_owned()), None]);
    assert_eq!(text("SELECT ko_normalize(t, 'nfkc') FROM texts")[0].as_deref(), Some("한글 (주)"));
    let levels = text("SELECT ko_register(t)['level'] FROM texts");
    assert_eq!(levels[1], None);
    let analyzer = ko_eval::register::RegisterAnalyzer::without_dictionary();
    let level = |text: &str| analyzer.analyze(text).unwrap().level.map(|level| level.name());
    assert_eq!(
        (levels[2].as_deref(), levels[3].as_deref()),
        (level("어서 오십시오."), level("나는 밥을 먹었어."))
    );
    assert_eq!((levels[2].as_deref(), levels[3].as_deref()), (Some("하십시오체"), Some("해체")));
    let batch = ask(&context, "SELECT ko_register(t) AS r FROM texts").unwrap();
    let rows = batch.column(0).as_struct();
    assert!(rows.is_null(1));
    let polite = rows.column_by_name("polite").unwrap().as_boolean();
    assert!(polite.value(2) && !polite.value(3));
}
