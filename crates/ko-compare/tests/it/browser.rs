//! The page in a real browser: sorted, searched, filtered, switched and read, with texts that try to break out of it.
//!
//! Where there is no Chromium the test says that it is skipped. `CHROMIUM` names one that is not on the search path.

use ko_compare::{ComparisonPage, Findings, Grouping, Language, Lineup, Speech, Trial};
use ko_eval_core::{Keep, OwnedSegment, Panel};
use ko_eval_testing::browser::{Tab, browser, fits, is_labelled, is_readable_by_day_and_by_night};
use ko_ngram_metrics::{Chrf, Ter};
use ko_register::{RegisterAnalyzer, metrics::analyzer_by_name};
use ko_tokenize::{Character, Word};
use std::{path::PathBuf, sync::Arc};

/// Texts that must stay texts.
const HOSTILE: &[&str] = &[
    "<script>window.broken = 1</script>",
    "</script><script>window.broken = 1</script>",
    "<img src=x onerror='window.broken=1'> 비가 온다",
    "\"><b onclick=\"window.broken=1\">굵게</b>",
    "<!-- <script> \u{2028}\u{2029} ]]> &amp; &#60; ${1} `",
    "javascript:window.broken=1 \u{202e}거꾸로\u{202c} 👨‍👩‍👧 🇰🇷",
    "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af} NFD, \u{0} \u{7} 끝",
    "",
];
const SEGMENTS: usize = 400;

/// Three systems: one as the reference, one that changes words, one that speaks otherwise; hostile texts at the beginning.
fn lineup() -> Vec<(String, Vec<OwnedSegment>)> {
    let nouns = ["선생님께서", "학생이", "고양이가", "어머니께서", "기차가", "아이들이", "구름이"];
    let verbs = [
        "오셨습니다.",
        "공부합니다.",
        "앉아 있습니다.",
        "말씀하셨습니다.",
        "떠났습니다.",
        "놉니다.",
    ];
    let reference = |n: usize| {
        let tail = if n.is_multiple_of(3) { format!(" {n}번째") } else { String::new() };
        let middle = "아주 조용히 ".repeat(n % 5);
        format!("{}{tail} {middle}{}", nouns[n % nouns.len()], verbs[n % verbs.len()])
    };
    let output = |system: usize, n: usize| match (system, HOSTILE.get(n)) {
        (1, Some(hostile)) => (*hostile).to_owned(),
        (0, _) if !n.is_multiple_of(4) => reference(n),
        (2, _) => {
            reference(n).replace("께서", "가").replace("셨습니다", "았어").replace("습니다", "어")
        }
        _ => reference(n + 2),
    };
    let names = ["기준", "<i>둘째</i> \"&\" 시스템", "셋째"];
    let system = |(number, name): (usize, &str)| {
        let segment = |n: usize| {
            OwnedSegment::new(output(number, n), [reference(n)])
                .unwrap()
                .with_source(format!("<u>{n}</u>"))
        };
        (name.to_owned(), (0..SEGMENTS).map(segment).collect())
    };
    names.into_iter().enumerate().map(system).collect()
}

fn write_page(folder: &std::path::Path) -> PathBuf {
    let systems = lineup();
    let mut panel = Panel::default();
    panel.push("chrf", Some("char"), Box::new(Chrf::new(Arc::new(Character::new()))));
    panel.push("ter", Some("word"), Box::new(Ter::new(Arc::new(Word::new()))));
    let mut measured = Vec::new();
    for (_, segments) in &systems {
        let segments: Vec<_> = segments.iter().map(OwnedSegment::as_segment).collect();
        measured.push(panel.measure(&segments, Keep::Segments).unwrap());
    }
    let lineup = Lineup::new(systems).unwrap();
    // Morphemes too, where the dictionary is.
    let analyzer = analyzer_by_name("mecab").map(RegisterAnalyzer::new);
    let analyzer = analyzer.unwrap_or_else(|_| RegisterAnalyzer::without_dictionary());
    let speech = Speech::analyze(&lineup, &analyzer).unwrap();
    let halves: Vec<String> =
        (0..SEGMENTS).map(|n| (if n < 200 { "<b>앞</b>" } else { "뒤" }).to_owned()).collect();
    let groupings = [
        Grouping::by_length(&lineup),
        Grouping::by_numbers(&lineup),
        Grouping::by_register(&speech),
        Grouping::by_column("<em>반</em>", &halves).unwrap(),
    ];
    let trial = Trial::bootstrap(100, 1).unwrap();
    let findings = Findings::new(panel.rows(), &measured, &groupings, &trial).unwrap();
    let page = ComparisonPage::new(&lineup, &findings).unwrap().speech(&speech);
    page.title("<script>window.broken=1</script> 비교")
        .language(Language::Korean)
        .write(folder)
        .unwrap()
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(mut tab) = browser("browser") else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = write_page(folder.path());
    tab.width(1200);
    tab.go(&page, "");
    draws_only_what_is_seen(&mut tab);
    texts_stay_texts(&mut tab);
    sorts(&mut tab);
    searches_and_filters(&mut tab);
    switches_units(&mut tab);
    switches_languages(&mut tab);
    obeys_the_keyboard(&mut tab);
    is_labelled(&mut tab);
    for width in [390, 800, 1200, 1600] {
        fits(&mut tab, width);
        let drawn = tab.eval("document.querySelectorAll('.row').length").as_u64().unwrap();
        assert!(drawn > 4, "{drawn} rows at {width}");
    }
    tab.width(1200);
    is_readable_by_day_and_by_night(&mut tab);
    tab.go(&page, "lang=en&metric=1&sort=file&seg=7&unit=jamo");
    assert_eq!(tab.eval("document.querySelector('#detail-title').textContent"), "Segment 7");
    assert_eq!(
        tab.eval("document.querySelector('#metric').value"),
        "1",
        "an address is a place in the page"
    );
    assert_eq!(tab.complaints(&page), [""; 0]);
}

/// Chooses an option as a person does.
fn choose(tab: &mut Tab, id: &str, value: &str) {
    tab.eval(&format!(
        "(() => {{ const e = document.getElementById('{id}'); e.value = '{value}'; e.dispatchEvent(new Event('change')); return e.value; }})()"
    ));
}

/// The segments of the rows from the top of the list, in order.
const TOP: &str = "[...document.querySelectorAll('.row')].sort((a, b) => parseInt(a.style.top) - parseInt(b.style.top)).map(r => Number(r.dataset.seg))";

fn draws_only_what_is_seen(tab: &mut Tab) {
    assert_eq!(
        tab.eval("document.getElementById('spacer').style.height"),
        format!("{}px", SEGMENTS * 64)
    );
    let drawn = tab.eval("document.querySelectorAll('.row').length").as_u64().unwrap();
    assert!((5..80).contains(&drawn), "{drawn} rows are drawn");
    tab.eval("document.getElementById('list').scrollTop = 200 * 64");
    tab.wait(
        "document.getElementById('row-200') !== null && document.getElementById('row-0') === null",
    );
    tab.eval("document.getElementById('list').scrollTop = 0");
    tab.wait("document.getElementById('row-0') !== null");
}

fn texts_stay_texts(tab: &mut Tab) {
    choose(tab, "sort", "file");
    for (number, text) in HOSTILE.iter().enumerate() {
        tab.eval(&format!("document.querySelector('[data-seg=\"{number}\"]').click()"));
        let shown = tab.eval("document.querySelector('[data-system=\"1\"] .said').textContent");
        // What JSON carries comes out as it went in, to the last character.
        assert_eq!(shown, *text);
    }
    assert_eq!(tab.eval("typeof window.broken"), "undefined");
    assert_eq!(
        tab.eval("document.querySelectorAll('img, i, em, u, script').length"),
        2,
        "only the page's scripts"
    );
    let title = tab.eval("document.getElementById('title').textContent");
    assert_eq!(title, "<script>window.broken=1</script> 비교");
}

fn sorts(tab: &mut Tab) {
    let data = "JSON.parse(document.getElementById('data').textContent)";
    let scores = format!("{data}.metrics[0].segments");
    // What the script sorts by, computed again in another way.
    for (sort, best) in [
        ("file", "0".to_owned()),
        (
            "long",
            format!(
                "(d => d.map((r, i) => [r[0].length, -i]).sort((a, b) => b[0] - a[0] || b[1] - a[1])[0][1] * -1)({data}.references)"
            ),
        ),
        (
            "diff",
            format!(
                "(s => s[0].map((_, i) => [Math.max(...s.map(v => v[i])) - Math.min(...s.map(v => v[i])), i]).sort((a, b) => b[0] - a[0] || a[1] - b[1])[0][1])({scores})"
            ),
        ),
        (
            "xy",
            format!(
                "(s => s[0].map((v, i) => [v - s[1][i], i]).sort((a, b) => b[0] - a[0] || a[1] - b[1])[0][1])({scores})"
            ),
        ),
        (
            "slip",
            format!(
                "(s => s[0].map((_, i) => [Math.max(...s.map(v => v[i])), i]).sort((a, b) => b[0] - a[0] || a[1] - b[1])[0][1])({data}.speech.slips)"
            ),
        ),
    ] {
        choose(tab, "sort", sort);
        let first = tab.eval(&format!("{TOP}[0]"));
        assert_eq!(first, tab.eval(&best), "{sort}");
    }
}

fn searches_and_filters(tab: &mut Tab) {
    choose(tab, "sort", "file");
    tab.eval("document.getElementById('list').focus()");
    tab.key("/", 191);
    assert_eq!(tab.eval("document.activeElement.id"), "search");
    tab.call("Input.insertText", &serde_json::json!({ "text": "고양이가 조용히" }));
    let found = "Number(/(\\d+)개$/.exec(document.getElementById('count').textContent)[1])";
    tab.wait(&format!("{found} < {SEGMENTS}"));
    let found = tab.eval(found).as_f64().unwrap();
    assert!((40.0..200.0).contains(&found), "{found}");
    tab.eval("(() => { const s = document.getElementById('search'); s.value = '없는말'; s.dispatchEvent(new Event('input')); })()");
    tab.wait("document.querySelectorAll('.row').length === 0 && document.querySelector('.empty') !== null");
    tab.eval("(() => { const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new Event('input')); })()");
    tab.wait("document.querySelectorAll('.row').length > 0");

    choose(tab, "grouping", "3");
    assert_eq!(tab.eval("document.querySelectorAll('#buckets tbody tr').length"), 2);
    tab.eval("document.querySelector('#buckets [data-bucket=\"1\"]').click()");
    assert_eq!(tab.eval(&format!("{TOP}[0]")), 200, "only the second half is left");
    assert_eq!(tab.eval("document.getElementById('bucket').value"), "1", "both controls say so");
    choose(tab, "bucket", "");
    tab.eval("document.getElementById('slips').click()");
    let slips = "(d => d.references.filter((_, i) => d.speech.slips.some(s => s[i] > 0)).length)(JSON.parse(document.getElementById('data').textContent))";
    let expected = tab.eval(slips);
    assert_eq!(tab.eval("parseInt(document.getElementById('spacer').style.height) / 64"), expected);
    assert!(expected.as_f64().unwrap() > 0.0);
    tab.eval("document.getElementById('slips').click()");
}

fn switches_units(tab: &mut Tab) {
    // Of the third system 께서 is gone, and the ending is another.
    tab.eval("document.getElementById('list').scrollTop = 0");
    tab.wait("document.getElementById('row-0') !== null");
    tab.eval("document.querySelector('[data-seg=\"0\"]').click()");
    let units =
        tab.eval("[...document.querySelectorAll('#units button')].map(b => b.dataset.unit)");
    for unit in units.as_array().unwrap() {
        let unit = unit.as_str().unwrap();
        tab.eval(&format!("document.querySelector('#units [data-unit={unit}]').click()"));
        assert_eq!(
            tab.eval("document.querySelector('#units [aria-pressed=true]').dataset.unit"),
            unit
        );
        let spans = tab
            .eval("document.querySelectorAll('[data-system=\"2\"] .u').length")
            .as_u64()
            .unwrap();
        let least = match unit {
            "word" => 2,
            "morpheme" => 4,
            _ => 6,
        };
        assert!(spans >= least, "{unit}: {spans}");
        let text = tab.eval("document.querySelector('[data-system=\"2\"] .said').textContent");
        assert_eq!(text, "선생님가 0번째 오았어.", "no letter is lost on {unit}");
    }
    // Only jamo tell half of a syllable.
    assert!(tab.eval("document.querySelectorAll('.u.part').length").as_u64().unwrap() > 0);
    assert!(
        tab.eval("document.querySelectorAll('[data-system=\"2\"] .amiss').length")
            .as_u64()
            .unwrap()
            > 0
    );
    assert!(
        tab.eval(
            "document.querySelector('[data-system=\"2\"]').textContent.includes('선생님께서')"
        ) == true,
        "what is missing is said"
    );
    tab.eval("document.querySelector('#units [data-unit=word]').click()");
}

fn switches_languages(tab: &mut Tab) {
    let words = "[...document.querySelectorAll('[data-t]')].map(e => e.textContent)";
    for (lang, heading) in [("en", "Segments"), ("ko", "문장")] {
        tab.eval(&format!("document.querySelector('[data-lang={lang}]').click()"));
        assert_eq!(tab.eval("document.documentElement.lang"), lang);
        assert_eq!(tab.eval("document.getElementById('h-segments').textContent"), heading);
        let all = tab.eval(words);
        assert!(
            all.as_array()
                .unwrap()
                .iter()
                .all(|t| t.as_str().is_some_and(|t| !t.is_empty() && t != "undefined")),
            "{all}"
        );
        assert!(!tab.eval("document.body.innerText").as_str().unwrap().contains("undefined"));
    }
}

fn obeys_the_keyboard(tab: &mut Tab) {
    let chosen = "document.querySelector('.row[aria-selected=true]').getAttribute('aria-posinset')";
    tab.eval("document.getElementById('list').focus()");
    tab.key("Home", 36);
    assert_eq!(tab.eval(chosen), "1");
    tab.key("ArrowDown", 40);
    tab.key("ArrowDown", 40);
    assert_eq!(tab.eval(chosen), "3");
    tab.key("End", 35);
    assert_eq!(tab.eval(chosen), SEGMENTS.to_string());
    let told = "document.getElementById(document.getElementById('list').getAttribute('aria-activedescendant')).getAttribute('aria-selected')";
    assert_eq!(tab.eval(told), "true", "a reader hears which row it is");
    tab.key("ArrowUp", 38);
    tab.key("Enter", 13);
    assert_eq!(tab.eval("document.activeElement.id"), "detail");
}
