//! Trends as pictures: SVG with literal colours, which looks the same wherever it is put, on white and on black.

use super::Trend;
use ko_eval_core::Direction;
use ko_eval_io::html::{Page, escape};
use std::fmt::Write as _;

/// Readable on white and on near-black alike.
const COLOURS: &[&str] = &[
    "#3b7dd8", "#d1622b", "#2e9e5b", "#a45bc0", "#a8860c", "#159a9c", "#d0505a", "#6f6be0",
    "#8f7b58", "#c2539a",
];
const GREY: &str = "#7c8591";
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 320.0;
/// Left, right, top and bottom of the plot.
const EDGES: (f64, f64, f64, f64) = (64.0, 590.0, 34.0, 262.0);
/// Names of runs that fit below the plot.
const NAMES: usize = 8;
const STYLE: &str = "\
:root{color-scheme:light dark}body{margin:0 auto;max-width:60rem;padding:1.5rem 1.1rem 3rem;font-family:\"Pretendard\",\"Apple SD Gothic Neo\",\
\"Malgun Gothic\",\"Noto Sans KR\",\"Noto Sans CJK KR\",\"Nanum Gothic\",system-ui,sans-serif;line-height:1.55;background:#fff;color:#14181d;font-variant-numeric:tabular-nums}\
h1{font-size:1.5rem;margin:0 0 1rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2rem 0 .3rem}figure{margin:.5rem 0}svg{width:100%;height:auto;display:block}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}th,td{padding:.3rem .6rem;border-bottom:1px solid #c9d0d8;text-align:left}\
.n{text-align:right}.drop{color:#a3210b;font-weight:700}code{font-size:.8rem;overflow-wrap:anywhere}\
@media(prefers-color-scheme:dark){body{background:#15181c;color:#e8ebef}th,td{border-color:#39414a}.drop{color:#ff9d77}}";

/// The trends of one metric, a line per system; empty where there is none.
pub fn chart(trends: &[&Trend]) -> String {
    let Some(first) = trends.first() else { return String::new() };
    // Runs in order; a system need not be in each.
    let mut runs: Vec<(String, String)> = trends
        .iter()
        .flat_map(|trend| &trend.points)
        .map(|point| (point.date.to_string(), point.run.to_string()))
        .collect();
    runs.sort();
    runs.dedup();
    let intervals = || trends.iter().flat_map(|trend| &trend.points).map(|point| &point.interval);
    let low = intervals().map(|i| i.low).fold(f64::INFINITY, f64::min);
    let high = intervals().map(|i| i.high).fold(f64::NEG_INFINITY, f64::max);
    let ticks = ticks(low, high);
    let (low, high) = (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
    let (left, right, top, bottom) = EDGES;
    let y = |value: f64| bottom - (value - low) / (high - low).max(1e-12) * (bottom - top);
    let x = |place: usize| left + (place as f64 + 0.5) / runs.len().max(1) as f64 * (right - left);
    let title = title(first);
    let better = match first.direction {
        Direction::HigherIsBetter => "↑",
        Direction::LowerIsBetter => "↓",
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\
         <title>{0}</title><text x=\"{left}\" y=\"18\" fill=\"{GREY}\" font-size=\"14\" font-weight=\"600\">{0} {better}</text>",
        escape(&title)
    );
    // Writing to a text cannot fail, here and below.
    for tick in &ticks {
        let (at, digits) = (y(*tick), decimals(&ticks));
        let _ = write!(
            out,
            "<line x1=\"{left}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"{GREY}\" stroke-opacity=\".3\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{GREY}\" text-anchor=\"end\">{tick:.digits$}</text>",
            left - 8.0,
            at + 4.0
        );
    }
    let every = runs.len().div_ceil(NAMES).max(1);
    for (place, (date, run)) in runs.iter().enumerate().filter(|(place, _)| place % every == 0) {
        for (line, words) in
            [shortened(run, 12), date.chars().take(10).collect()].iter().enumerate()
        {
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{GREY}\" text-anchor=\"middle\">{}</text>",
                x(place),
                bottom + 20.0 + 16.0 * line as f64,
                escape(words)
            );
        }
    }
    for ((number, trend), colour) in trends.iter().enumerate().zip(COLOURS.iter().cycle()) {
        // Systems beside each other, so that their intervals can be told apart.
        let aside = (number as f64 - (trends.len() as f64 - 1.0) / 2.0) * 7.0;
        let mut line = String::new();
        let mut marks = String::new();
        for point in &trend.points {
            let of = |(date, run): &(String, String)| {
                *run == point.run.to_string() && *date == point.date.to_string()
            };
            let Some(place) = runs.iter().position(of) else { continue };
            let (x, i) = (x(place) + aside, &point.interval);
            let _ = write!(line, "{x:.1},{:.1} ", y(i.score));
            let tip = format!(
                "{}, {}: {:.4} [{:.4}, {:.4}]",
                trend.system, point.run, i.score, i.low, i.high
            );
            let _ = write!(
                marks,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"3\" stroke-opacity=\".45\" stroke-linecap=\"round\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4.5\" fill=\"{colour}\"><title>{}</title></circle>",
                y(i.low),
                y(i.high),
                y(i.score),
                escape(&tip)
            );
        }
        let legend = top + 8.0 + 20.0 * number as f64;
        let _ = write!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"/>{marks}\
             <circle cx=\"{:.1}\" cy=\"{legend:.1}\" r=\"5\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"{GREY}\">{}</text>",
            line.trim_end(),
            right + 18.0,
            right + 29.0,
            legend + 4.0,
            escape(&shortened(&trend.system, 18))
        );
    }
    out + "</svg>\n"
}

/// All trends as a page: a chart per metric, and the figures. At this level a change for the worse is called a drop.
pub fn page(title: &str, trends: &[Trend], level: f64) -> String {
    let mut body = format!("<main><h1>{}</h1>\n", escape(title));
    let mut shown: Vec<(&str, Option<&str>)> = Vec::new();
    for trend in trends {
        let key = (trend.metric.as_str(), trend.unit.as_deref());
        if shown.contains(&key) {
            continue;
        }
        shown.push(key);
        let own: Vec<&Trend> =
            trends.iter().filter(|t| (t.metric.as_str(), t.unit.as_deref()) == key).collect();
        body +=
            &format!("<h2>{}</h2><figure>{}</figure>", escape(&self::title(trend)), chart(&own));
        body += "<div class=\"wide\"><table><thead><tr><th>system</th><th>run</th><th>date</th><th class=\"n\">segments</th>\
                 <th class=\"n\">score</th><th class=\"n\">95 %</th><th class=\"n\">change</th><th class=\"n\">p</th></tr></thead><tbody>";
        for trend in &own {
            for point in trend.points.iter().rev() {
                let i = &point.interval;
                let change = trend.change.as_ref().filter(|change| change.to == point.run);
                let (difference, p) = change.map_or((String::new(), String::new()), |change| {
                    (format!("{:+.4}", change.difference), format!("{:.4}", change.p_value))
                });
                let class = if change.is_some_and(|c| c.is_drop(level)) { "n drop" } else { "n" };
                body += &format!(
                    "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:.4}</td><td class=\"n\">{:.4} – {:.4}</td>\
                     <td class=\"{class}\">{difference}</td><td class=\"{class}\">{p}</td></tr>",
                    escape(&trend.system),
                    escape(&point.run.to_string()),
                    escape(&point.date.to_string()),
                    point.segments,
                    i.score,
                    i.low,
                    i.high
                );
            }
        }
        body += &format!(
            "</tbody></table></div><p><code>{}</code></p>",
            escape(&trend.signature.to_string())
        );
    }
    body += "</main>";
    Page { title, lang: "en", style: STYLE, body: &body, ..Page::default() }.render()
}

fn title(trend: &Trend) -> String {
    match &trend.unit {
        Some(unit) => format!("{} on {unit}", trend.metric),
        None => trend.metric.clone(),
    }
}

fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() {
        n if n > most => text.chars().take(most - 1).chain(['…']).collect(),
        _ => text.to_owned(),
    }
}

/// Round numbers that cover a range.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-6);
    let power = 10f64.powf((span / 4.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|s| span / s <= 6.0);
    let step = step.unwrap_or(span);
    let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    (first..=last.clamp(first + 1, first + 20)).map(|i| i as f64 * step).collect()
}

fn decimals(ticks: &[f64]) -> usize {
    match ticks {
        [a, b, ..] => (-(b - a).log10().floor()).clamp(0.0, 6.0) as usize,
        _ => 2,
    }
}
