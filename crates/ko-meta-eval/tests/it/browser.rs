//! The report in a real browser: fitted to phones and screens, sorted, read by day and by night, with names that try to break out of it.
//!
//! Where there is no Chromium the test says that it is skipped.

use crate::overlap::Overlap;
use ko_eval_core::{Direction, OwnedSegment, Scorer, significance::Bootstrap};
use ko_eval_testing::browser::{Tab, browser, fits, is_labelled, is_readable_by_day_and_by_night};
use ko_meta_eval::{AgreementReport, Experiment, Judged, MetricRow, Unit, report::Language};
use ko_tokenize::by_name;
use std::path::Path;

const HOSTILE: &str = "<img src=x onerror='window.broken=1'> \"시스템\" &amp; {0} {1}";

fn judged() -> Judged {
    let nouns =
        ["아이가", "할머니가", "학생들이", "강아지가", "어머니가", "<b>구름이</b>", "기차가"];
    let verbs = ["공원에서 자전거를 탄다.", "시장에서 사과를 산다.", "마당에서 공을 쫓는다."];
    let reference = |n: usize| format!("{} {}", nouns[n % nouns.len()], verbs[n % verbs.len()]);
    let mut judged = Judged::new(["문법", "상식"]).unwrap();
    for (system, name) in ["기준", HOSTILE, "셋째"].into_iter().enumerate() {
        let output = |n: usize| match (n * 7 + system * 3) % (2 + system) {
            0 => reference(n),
            1 => reference(n).replace("에서", "").replace("는다", "고"),
            _ => reference(n + 1),
        };
        let score = |n: usize, shift: usize| match output(n) == reference(n) {
            true => 2.0 - ((n + shift) % 3) as f64 / 3.0,
            false => 1.0 - ((n + shift) % 4) as f64 / 4.0,
        };
        let segments = (0..60).map(|n| OwnedSegment::new(output(n), [reference(n)]).unwrap());
        let human =
            vec![(0..60).map(|n| score(n, 0)).collect(), (0..60).map(|n| score(n, 1)).collect()];
        judged.push(name, segments, human).unwrap();
    }
    judged
}

fn write(folder: &Path, language: Language) {
    let judged = judged();
    let row = |order: usize| {
        MetricRow::new(format!("겹침:order={order}"), move |units| {
            Ok(Box::new(Overlap { units, order, direction: Direction::HigherIsBetter })
                as Box<dyn Scorer>)
        })
        .order("겹침", order)
    };
    let units = ["word", "char", "jamo", "jamo:form=conjoining"];
    let findings = Experiment::new(&judged)
        .metrics((1..=4).map(row))
        .units(units.map(|name| Unit::by_name(name, by_name).unwrap()))
        .bootstrap(Bootstrap::new(50, 1).unwrap())
        .run()
        .unwrap();
    let report = AgreementReport::new(&findings).judged(&judged).language(language);
    report.title("<script>window.broken=1</script> 보고서").write(folder).unwrap();
}

#[test]
fn the_report_works_in_a_browser() {
    let Some(mut tab) = browser("the report in a browser") else { return };
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), Language::Korean);
    let page = folder.path().join("report.html");
    tab.width(1400);
    tab.go(&page, "");
    assert_eq!(tab.eval("document.documentElement.lang"), "ko");
    assert_eq!(
        tab.eval("document.querySelector('h1').textContent"),
        "<script>window.broken=1</script> 보고서"
    );
    assert_eq!(tab.eval("typeof window.broken"), "undefined");
    for width in [390, 800, 1400] {
        fits(&mut tab, width);
        shows_one_drawing_of_each_figure(&mut tab, width);
    }
    dots_stand_where_their_values_are(&mut tab);
    sorts(&mut tab);
    is_labelled(&mut tab);
    is_readable_by_day_and_by_night(&mut tab);

    // A cell leads to its segments.
    let link = tab.eval("document.querySelector('.wide-only a').getAttribute('href')");
    let fragment = link.as_str().unwrap().strip_prefix("segments.html#").unwrap().to_owned();
    let segments = folder.path().join("segments.html");
    tab.go(&segments, &fragment);
    assert_eq!(tab.eval("document.querySelectorAll('li').length"), 50);
    assert!(
        tab.eval("document.body.innerText").as_str().unwrap().contains("출력 180개 가운데 50개")
    );
    assert!(tab.eval("document.body.innerText").as_str().unwrap().contains(HOSTILE));
    fits(&mut tab, 390);
    // Neither page asked for anything but the other.
    assert_eq!(tab.complaints(folder.path()), [""; 0]);
}

/// On a phone a figure is narrower than the window, elsewhere it is the wide one.
fn shows_one_drawing_of_each_figure(tab: &mut Tab, width: u32) {
    let shown = tab.eval(
        "[...document.querySelectorAll('figure')].map(f => [...f.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width > 0).length)",
    );
    assert!(shown.as_array().unwrap().iter().all(|count| *count == 1), "{width}: {shown}");
    let clipped = tab.eval(
        "[...document.querySelectorAll('figure .scroll')].filter(s => s.scrollWidth > s.clientWidth + 1).map(s => s.querySelector('svg').getAttribute('aria-label'))",
    );
    assert_eq!(clipped, serde_json::json!([]), "at {width} all of it is seen");
    // What is written lies within its picture.
    let outside = tab.eval(
        "[...document.querySelectorAll('svg')].flatMap(s => { const b = s.getBoundingClientRect(); return b.width === 0 ? [] : [...s.querySelectorAll('text')].map(t => { const r = t.getBoundingClientRect(); return [t, Math.max(b.left - r.left, r.right - b.right, r.bottom - b.bottom, b.top - r.top)]; }).filter(([t, by]) => by > 2).map(([t, by]) => `${s.getAttribute('aria-label')}: ${t.textContent}, by ${by}`); })",
    );
    assert_eq!(outside, serde_json::json!([]), "at {width}");
}

/// The dots of the intervals are as far apart as their values, from the least to the greatest over most of the width.
fn dots_stand_where_their_values_are(tab: &mut Tab) {
    let points = tab.eval(
        "[...[...document.querySelectorAll('figure')].find(f => f.querySelector('a').getAttribute('href').includes('intervals-pearson')).querySelectorAll('.wide-only > path')].map(p => [Number(/: ([−\\d.]+)/.exec(p.textContent)?.[1].replace('−', '-')), p.getBoundingClientRect().left]).filter(p => !isNaN(p[0]))",
    );
    let mut points: Vec<(f64, f64)> = points
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p[0].as_f64().unwrap(), p[1].as_f64().unwrap()))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(points.len() >= 10, "{points:?}");
    let (first, last) = (points[0], points[points.len() - 1]);
    assert!(last.1 - first.1 > 150.0, "the scale shows the differences: {points:?}");
    let slope = (last.1 - first.1) / (last.0 - first.0);
    for (value, x) in &points {
        assert!((first.1 + slope * (value - first.0) - x).abs() < 4.0, "{value} at {x}");
    }
}

fn sorts(tab: &mut Tab) {
    let column = "[...document.querySelector('section:last-of-type table').tBodies[0].rows].map(r => r.cells[2].dataset.v)";
    let press = "document.querySelector('section:last-of-type th:nth-child(3) button').click()";
    for descending in [true, false] {
        tab.eval(press);
        let values = tab.eval(column);
        let values: Vec<&str> =
            values.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
        let numbers: Vec<f64> = values.iter().filter_map(|v| v.parse().ok()).collect();
        assert!(
            numbers.len() > 5
                && numbers.is_sorted_by(|a, b| if descending { a >= b } else { a <= b }),
            "{values:?}"
        );
        assert!(
            values.iter().skip(numbers.len()).all(|v| v.is_empty()),
            "empty ones last: {values:?}"
        );
    }
    let sorted = "document.querySelector('section:last-of-type th:nth-child(3)').ariaSort";
    assert_eq!(tab.eval(sorted), "ascending");
}
