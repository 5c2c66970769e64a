//! Why does this translation have its scores? What met what, and how each score is made of it.
//!
//! `cargo run -p ko-eval-examples --example explain`

use ko_eval::{Segment, explain::LinkKind};

fn main() -> ko_eval::Result<()> {
    let segment = Segment::new("어제 나는 밥을 먹었다", ["나는 밥을 어제 먹었어요"])?;
    let panel = ko_eval::panel([("ter", "word"), ("chrf", "word"), ("bleu:order=2", "jamo")])?;
    for (row, explanation) in
        panel.rows().iter().zip(&panel.explain(std::slice::from_ref(&segment))?[0])
    {
        println!("{} {:.2}", row.metric, explanation.score.value);
        for part in &explanation.parts {
            println!("  {} = {} = {:.4}", part.name, part.formula, part.value);
        }
        // The parts make the score, to the last place that matters.
        let again = explanation.recomputed().unwrap_or_default();
        assert!((again - explanation.score.value).abs() < 1e-9);
    }

    let ter = ko_eval::metric("ter", "word")?.explain(&segment)?;
    let layer = &ter.layers[0];
    let shift = layer.links.iter().find(|link| link.kind == LinkKind::Shift);
    let moved = shift.and_then(|link| layer.hypothesis_span(&link.hypothesis));
    assert_eq!(moved.map(|span| &segment.hypothesis()[span]), Some("어제"));
    Ok(())
}
