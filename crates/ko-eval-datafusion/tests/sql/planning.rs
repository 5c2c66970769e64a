//! What is wrong with a call is told when it is planned.

use crate::table::{complaint, pairs, with_pairs};

#[test]
fn what_decides_must_be_written_out() {
    let context = with_pairs(&pairs(5), 1);
    for (sql, told) in [
        (
            "SELECT ko_corpus(system, 'word', hyp, ref) FROM pairs",
            "argument 1 of ko_corpus (metric) must be written out",
        ),
        (
            "SELECT ko_bleu(hyp, ref, system) FROM pairs",
            "argument 3 of ko_bleu (unit) must be written out",
        ),
        (
            "SELECT ko_score('bleu', system, hyp, ref) FROM pairs",
            "argument 2 of ko_score (unit) must be written out",
        ),
        (
            "SELECT ko_tokens(system, hyp) FROM pairs",
            "argument 1 of ko_tokens (unit) must be written out",
        ),
        (
            "SELECT ko_corpus_ci('bleu', 'word', hyp, ref, NULL, NULL, id) FROM pairs",
            "(samples) must be written out",
        ),
        (
            "SELECT ko_corpus_ci('bleu', 'word', hyp, ref, NULL, NULL, 0) FROM pairs",
            "samples of ko_corpus_ci is 0; it must be from 1 to 100000",
        ),
        (
            "SELECT ko_corpus_ci('bleu', 'word', hyp, ref, NULL, NULL, 10, -1) FROM pairs",
            "seed of ko_corpus_ci is -1",
        ),
    ] {
        let complaint = complaint(&context, sql);
        assert!(complaint.contains(told), "{sql}: {complaint}");
    }
}

#[test]
fn constants_may_be_computed() {
    let context = with_pairs(&pairs(5), 1);
    let sql = "SELECT ko_bleu(hyp, ref, concat('wo', 'rd')) FROM pairs";
    assert!(crate::table::number(&context, sql).is_some());
}

#[test]
fn unknown_names_and_wrong_types_are_told() {
    let context = with_pairs(&pairs(5), 1);
    for (sql, told) in [
        (
            "SELECT ko_corpus('blue', 'word', hyp, ref) FROM pairs",
            "unknown metric `blue`; known: bleu, ",
        ),
        (
            "SELECT ko_corpus('bleu', 'syllable', hyp, ref) FROM pairs",
            "unknown unit `syllable`; known: word, ",
        ),
        (
            "SELECT ko_bleu(hyp, ref, 'word', 'ordre=2') FROM pairs",
            "`bleu` has no parameter `ordre`",
        ),
        ("SELECT ko_tokens('syllable', hyp) FROM pairs", "unknown unit `syllable`"),
        (
            "SELECT ko_morphemes('jamo', hyp) FROM pairs",
            "`jamo` does not tag morphemes; these do: mecab",
        ),
        ("SELECT ko_normalize(hyp, 'nfx') FROM pairs", "not `nfx`"),
        (
            "SELECT ko_bleu(id, ref, 'word') FROM pairs",
            "argument 1 of ko_bleu (hyp) must be a text, not Int64",
        ),
        (
            "SELECT ko_bleu(hyp, [1, 2], 'word') FROM pairs",
            "argument 2 of ko_bleu (refs) must be a text or a list of texts",
        ),
        (
            "SELECT ko_bleu(hyp, ref) FROM pairs",
            "ko_bleu was given 2 arguments; it is ko_bleu(hyp, refs, unit [, settings [, src]])",
        ),
        (
            "SELECT ko_compare('bleu', 'word', hyp, ref) FROM pairs",
            "it is ko_compare(metric, unit, baseline, hyp, refs [, src [, key [, samples [, seed]]]])",
        ),
        (
            "SELECT ko_score('bleu', 'word', hyp) FROM pairs",
            "it is ko_score(metric, unit, hyp, refs [, src])",
        ),
    ] {
        let complaint = complaint(&context, sql);
        assert!(complaint.contains(told), "{sql}: {complaint}");
    }
}

#[test]
fn a_query_starts_no_program_and_opens_no_file() {
    let context = with_pairs(&pairs(5), 1);
    for (sql, told) in [
        ("SELECT ko_tokens('bridge:touch /x', hyp) FROM pairs", "runs code that it names"),
        ("SELECT ko_bleu(hyp, ref, 'bridge:touch /x') FROM pairs", "runs code that it names"),
        ("SELECT ko_tokens('subword:/etc/passwd', hyp) FROM pairs", "opens a file outside"),
        ("SELECT ko_bertscore(hyp, ref, '/etc') FROM pairs", "opens a file outside"),
    ] {
        let complaint = complaint(&context, sql);
        assert!(complaint.contains(told), "{sql}: {complaint}");
    }
}

#[test]
fn distinct_is_refused() {
    let context = with_pairs(&pairs(5), 1);
    let told = crate::table::ask(&context, "SELECT ko_bleu(DISTINCT hyp, ref, 'word') FROM pairs");
    assert!(told.unwrap_err().to_string().contains("ko_bleu has no DISTINCT"));
}
