//! The form of a sheet, filled in by a real browser, saved and read back.
//!
//! Where there is no Chromium the test says that it is skipped.

use ko_commongen::{
    Item, Pairs,
    human::Criterion,
    sheet::{RatingSheet, WritingSheet},
};
use ko_eval_testing::browser::{Tab, browser, fits, is_labelled, is_readable_by_day_and_by_night};
use ko_meta_eval::report::Language;
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};

const HOSTILE: &str = "</script><img src=x onerror='window.broken=1'> \"공\", 찬다";

fn pairs() -> Pairs {
    let item =
        |n: usize| Item::new([format!("공{n}"), "선수".into()], ["선수가 공을 찬다."]).unwrap();
    let output = |n: usize| {
        if n == 3 { HOSTILE.to_owned() } else { format!("선수가 공을 {n}번 찬다.") }
    };
    Pairs::new((0..12).map(item).collect(), (0..12).map(output).collect()).unwrap()
}

fn open(tab: &mut Tab, folder: &Path, html: &str) {
    let page = folder.join("sheet.html");
    fs::write(&page, html).unwrap();
    let saves = json!({ "behavior": "allow", "downloadPath": folder, "eventsEnabled": true });
    tab.call("Browser.setDownloadBehavior", &saves);
    tab.width(1000);
    tab.go(&page, "");
    for width in [390, 1000] {
        fits(tab, width);
    }
    is_readable_by_day_and_by_night(tab);
}

/// Presses the button and waits for the file.
fn save(tab: &mut Tab, file: &Path) -> PathBuf {
    tab.eval("document.getElementById('save').click()");
    tab.downloaded();
    file.into()
}

#[test]
fn a_form_is_filled_in_and_read_back() {
    let Some(mut tab) = browser("the form in a browser") else { return };
    let folder = tempfile::tempdir().unwrap();
    let pairs = pairs();
    let sheet = RatingSheet::new([("갑", &pairs)], 5).unwrap();
    open(&mut tab, folder.path(), &sheet.html(Language::Korean).unwrap());
    is_labelled(&mut tab);
    assert_eq!(tab.eval("document.querySelectorAll('li').length"), 10, "a page of twelve");
    // A name is wanted, and whole answers.
    tab.eval("document.getElementById('save').click()");
    let state = "document.getElementById('state').textContent";
    assert_eq!(tab.eval(state), "먼저 이름을 적어 주십시오");
    tab.eval("(() => { const n = document.getElementById('name'); n.value = '민수'; n.dispatchEvent(new Event('input')); })()");
    tab.eval("document.querySelector('li input[value=\"2\"]').click()");
    tab.eval("document.getElementById('save').click()");
    assert_eq!(tab.eval(state), "답을 다 하지 않은 문장이 1개 있습니다");
    let answer = "for (const f of document.querySelectorAll('li fieldset')) f.querySelector('input[value=\"1\"]').click()";
    tab.eval(answer);
    tab.eval("document.getElementById('next').click()");
    assert_eq!(tab.eval("document.querySelectorAll('li').length"), 2);
    tab.eval(answer);
    assert_eq!(tab.eval(state), "12개 가운데 12개 마침");
    let file = save(&mut tab, &folder.path().join("민수.csv"));
    let scores = sheet.read(&[file]).unwrap().choose(1, 1).unwrap();
    assert_eq!(scores["갑"].means()[&Criterion::Fluency], 1.0);
    assert_eq!(tab.eval("typeof window.broken"), "undefined");

    let items = pairs.items();
    let sheet = WritingSheet::new(items).unwrap();
    open(&mut tab, folder.path(), &sheet.html(Language::English).unwrap());
    tab.eval("(() => { const n = document.getElementById('name'); n.value = 'B'; n.dispatchEvent(new Event('input')); const t = document.querySelector('textarea'); t.value = '공을,\\n찬다.'; t.dispatchEvent(new Event('input')); })()");
    assert_eq!(tab.eval(state), "1 of 12 done");
    let file = save(&mut tab, &folder.path().join("B.csv"));
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text, "writer,id,concepts,sentence\nB,1,공0#선수,\"공을, 찬다.\"\n");
    sheet.read(&[file]).unwrap();
    let complaints = tab.complaints(folder.path());
    let others: Vec<_> =
        complaints.iter().filter(|what| !what.starts_with("a request for blob:")).collect();
    assert!(others.is_empty(), "{others:?}");
}
