//! Questions that every page has to answer well.

use super::Tab;
use serde_json::json;

/// The page is no wider than a window of this width.
pub fn fits(tab: &mut Tab, width: u32) {
    tab.width(width);
    tab.wait(&format!("innerWidth === {width}"));
    let wide = tab.eval("document.documentElement.scrollWidth").as_u64().unwrap();
    assert!(wide <= u64::from(width), "{wide} at {width}");
}

/// Everything that can be operated or looked at has a name.
pub fn is_labelled(tab: &mut Tab) {
    let nameless = "[...document.querySelectorAll('button, select, input, [role=listbox], [role=img], section, article')].filter(e => !e.closest('[hidden]') && !((e.labels && e.labels.length && e.labels[0].textContent.trim()) || e.getAttribute('aria-label') || (e.getAttribute('aria-labelledby') && document.getElementById(e.getAttribute('aria-labelledby'))) || (e.tagName === 'BUTTON' && e.textContent.trim()))).map(e => e.outerHTML.slice(0, 90))";
    assert_eq!(tab.eval(nameless), json!([]));
}

/// Texts have a contrast of at least 4.5 : 1 (WCAG AA), light and dark.
pub fn is_readable_by_day_and_by_night(tab: &mut Tab) {
    let contrast = "(() => { \
        const parse = c => c.match(/[\\d.]+/g).map(Number); \
        const light = c => { const [r, g, b] = parse(c).map(v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; }; \
        const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor, p = parse(c); if (p.length < 4 || p[3] > 0) return c; } return 'rgb(255,255,255)'; }; \
        let worst = 99; \
        for (const e of document.querySelectorAll('h1, h2, p, th, td, small, label > span, .u, .amiss, .row .figures, button')) { \
            if (!e.textContent.trim() || !e.offsetParent) continue; \
            const a = light(getComputedStyle(e).color), b = light(ground(e)); \
            worst = Math.min(worst, (Math.max(a, b) + .05) / (Math.min(a, b) + .05)); \
        } return worst; })()";
    let mut grounds = Vec::new();
    for theme in ["light", "dark"] {
        tab.theme(theme);
        let worst = tab.eval(contrast).as_f64().unwrap();
        assert!(worst >= 4.5, "{theme}: {worst}");
        grounds.push(tab.eval("getComputedStyle(document.body).backgroundColor"));
    }
    assert_ne!(grounds[0], grounds[1]);
}
