//! Lines: which n-gram order agrees best with people, on each unit?

use super::canvas::{Canvas, Figure, number, ticks, width_of};
use crate::{
    Correlation,
    experiment::{Findings, Level},
};

const PLOT: (f64, f64) = (440.0, 260.0);
const LEFT: f64 = 52.0;
const TOP: f64 = 40.0;
/// How close two names at the ends of lines may come.
const LINE: f64 = 17.0;

/// One unit's line.
struct Line<'a> {
    series: usize,
    unit: &'a str,
    /// Orders and their coefficients.
    orders: Vec<(usize, f64)>,
}

/// A family's coefficients by order, a line per unit; the best order of each is ringed.
pub(super) fn draw<'a>(
    findings: &'a Findings,
    family: &str,
    correlation: Correlation,
) -> Option<Figure> {
    let units = findings.units.iter().enumerate().map(|(series, unit)| Line {
        series,
        unit: &unit.name,
        orders: findings.orders(family, &unit.name, Level::Segment, correlation),
    });
    let lines: Vec<Line<'_>> = units.filter(|line| !line.orders.is_empty()).collect();
    let points = || lines.iter().flat_map(|line| line.orders.iter().copied());
    let (first, last) = (points().map(|p| p.0).min()?, points().map(|p| p.0).max()?);
    if first == last {
        return None;
    }
    let low = points().map(|p| p.1).reduce(f64::min)?;
    let high = points().map(|p| p.1).reduce(f64::max)?;
    let ticks = ticks(low, high);
    let (low, high) = (*ticks.first()?, *ticks.last()?);
    let at = |(order, value): (usize, f64)| {
        let x = (order - first) as f64 / (last - first) as f64;
        let y = (high - value) / (high - low);
        (LEFT + 14.0 + x * (PLOT.0 - 28.0), TOP + y * PLOT.1)
    };
    let mut canvas = Canvas::default();
    let title = format!("{family}: {} by n-gram order, segment level", correlation.title());
    canvas.text("head", (0.0, 18.0), &title);
    for tick in &ticks {
        let (_, y) = at((first, *tick));
        canvas.line("rule", (LEFT, y), (LEFT + PLOT.0, y));
        canvas.text("soft end", (LEFT - 8.0, y + 4.0), format!("{tick:.2}").replace('-', "−"));
    }
    for order in first..=last.min(first + 40) {
        let (x, _) = at((order, low));
        canvas.text("soft mid", (x, TOP + PLOT.1 + 20.0), order);
    }
    canvas.text("soft mid", (LEFT + PLOT.0 / 2.0, TOP + PLOT.1 + 40.0), "longest n-gram");
    for Line { series, unit, orders } in &lines {
        let places: Vec<(f64, f64)> = orders.iter().map(|p| at(*p)).collect();
        canvas.path(*series, &places);
        let best = orders.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
        for (point, place) in orders.iter().zip(&places) {
            let tip = format!("{family} of order {} on {unit}: {}", point.0, number(point.1));
            canvas.point(*series, *place, &tip);
            if Some(*point) == best {
                canvas.ring(*place);
            }
        }
    }
    let end = |line: &Line<'a>| Some((at(*line.orders.last()?).1, line.series, line.unit));
    let mut ends: Vec<(f64, usize, &str)> = lines.iter().filter_map(end).collect();
    spread(&mut ends);
    let x = LEFT + PLOT.0 + 10.0;
    for (y, series, unit) in &ends {
        canvas.point(*series, (x + 5.0, *y), unit);
        canvas.text("", (x + 16.0, y + 4.5), unit);
    }
    let widest = ends.iter().map(|(_, _, unit)| width_of(unit)).fold(0.0, f64::max);
    let name = format!("orders-{}-{correlation}", super::slug(family));
    let width = (x + 26.0 + widest).max(width_of(&title) * 1.2);
    Some(canvas.finish(name, title, (width, TOP + PLOT.1 + 52.0)))
}

/// Moves names apart that would overlap, keeping their order.
fn spread(ends: &mut [(f64, usize, &str)]) {
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut above = f64::NEG_INFINITY;
    for end in ends.iter_mut() {
        end.0 = end.0.max(above + LINE);
        above = end.0;
    }
    // What was pushed below the plot goes up again.
    let mut below = TOP + PLOT.1 + LINE / 2.0;
    for end in ends.iter_mut().rev() {
        end.0 = end.0.min(below);
        below = end.0 - LINE;
    }
}
