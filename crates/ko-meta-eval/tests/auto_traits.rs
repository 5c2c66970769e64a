//! Every public type may cross threads.

use ko_meta_eval::{
    Correlation, Error, Estimate, Findings, Judged, MetricRow, Plan, Report, Unit, Williams,
    agreement::KappaBySystem,
    classification::Confusion,
    experiment::{BestOrder, Cached, Cell, Level, Pairwise, Scores, UnitFinding, Value},
    report::Figure,
};

#[test]
fn types_are_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    shared::<BestOrder>();
    shared::<Cached<ko_tokenize::Word>>();
    shared::<Cell>();
    shared::<Confusion>();
    shared::<Correlation>();
    shared::<Error>();
    shared::<Estimate>();
    shared::<Figure>();
    shared::<Findings>();
    shared::<Judged>();
    shared::<KappaBySystem>();
    shared::<Level>();
    shared::<MetricRow>();
    shared::<Pairwise>();
    shared::<Plan>();
    shared::<Report<'_>>();
    shared::<Scores>();
    shared::<Unit>();
    shared::<UnitFinding>();
    shared::<Value>();
    shared::<Williams>();
}
