// Units of a text, and which of them two texts share. A unit is {a, b, key, parts?}: its place in UTF-16, what it is compared by,
// and for jamo the letters of one character.

const INITIALS = [...'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'];
const MEDIALS = [...'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'];
const FINALS = ['', ...'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'];

function letters(text) {
  const out = [];
  for (const c of text.normalize('NFC')) {
    const s = c.codePointAt(0) - 0xac00;
    if (s < 0 || s >= 11172) { out.push(c); continue; }
    out.push(INITIALS[Math.floor(s / 588)], MEDIALS[Math.floor(s % 588 / 28)]);
    if (s % 28) out.push(FINALS[s % 28]);
  }
  return out;
}

// A character as a reader counts it: decomposed Hangul stays together.
const CHARACTER = /[\u1100-\u115f\ua960-\ua97c]+[\u1160-\u11a7\ud7b0-\ud7c6]+[\u11a8-\u11ff\ud7cb-\ud7fb]*|\P{M}\p{M}*|\p{M}+/gu;
const WORD = /[^\s\u0085]+/gu;

function units(text, kind, cuts) {
  const out = [];
  const add = (a, b) => out.push({ a, b, key: text.slice(a, b).normalize('NFC') });
  if (kind === 'word') for (const m of text.matchAll(WORD)) add(m.index, m.index + m[0].length);
  else if (kind === 'morpheme') {
    let at = 0, length = 0;
    for (const c of cuts || '') {
      if (c === ' ') at++;
      else if (c === '_') length += 26;
      else { length += c.charCodeAt(0) - 96; add(at, at + length); at += length; length = 0; }
    }
  } else for (const m of text.matchAll(CHARACTER)) if (!/^[\s\u0085]+$/u.test(m[0])) {
    add(m.index, m.index + m[0].length);
    if (kind === 'jamo') out[out.length - 1].parts = letters(m[0]);
  }
  return out;
}

const keysOf = list => list.flatMap(u => u.parts || [u.key]);

// More cells than this would stall the page; such texts are matched without regard to order.
const CELLS = 6e6;

// For each key of both sides whether it is in a longest common subsequence: [ours, theirs, whether in order].
function common(ours, theirs) {
  const n = ours.length, m = theirs.length, a = new Uint8Array(n), b = new Uint8Array(m);
  let s = 0, e = 0;
  while (s < n && s < m && ours[s] === theirs[s]) { a[s] = b[s] = 1; s++; }
  while (e < n - s && e < m - s && ours[n - 1 - e] === theirs[m - 1 - e]) { a[n - 1 - e] = b[m - 1 - e] = 1; e++; }
  const w = m - s - e, h = n - s - e;
  if ((w + 1) * (h + 1) > CELLS) {
    const left = new Map();
    for (let j = s; j < m - e; j++) { const l = left.get(theirs[j]); if (l) l.push(j); else left.set(theirs[j], [j]); }
    for (let i = s; i < n - e; i++) { const l = left.get(ours[i]); if (l && l.length) { a[i] = 1; b[l.shift()] = 1; } }
    return [a, b, false];
  }
  const best = new Uint16Array((w + 1) * (h + 1));
  for (let i = h - 1; i >= 0; i--) for (let j = w - 1; j >= 0; j--)
    best[i * (w + 1) + j] = ours[s + i] === theirs[s + j] ? best[(i + 1) * (w + 1) + j + 1] + 1
      : Math.max(best[(i + 1) * (w + 1) + j], best[i * (w + 1) + j + 1]);
  for (let i = 0, j = 0; i < h && j < w;) {
    if (ours[s + i] === theirs[s + j]) { a[s + i++] = 1; b[s + j++] = 1; }
    else if (best[(i + 1) * (w + 1) + j] >= best[i * (w + 1) + j + 1]) i++; else j++;
  }
  return [a, b, true];
}

// Our units against their best reference: a class for each of ours, whether each of theirs was met, and the counts.
function align(ours, theirs) {
  const k = keysOf(ours), r = keysOf(theirs), [a, b, ordered] = common(k, r);
  const spare = new Map();
  r.forEach((key, j) => { if (!b[j]) spare.set(key, (spare.get(key) || 0) + 1); });
  let i = 0, same = 0;
  const classes = ours.map(u => {
    const n = u.parts ? u.parts.length : 1;
    let met = 0;
    for (let q = 0; q < n; q++) met += a[i + q];
    same += met;
    let kind = met === n ? 'same' : met ? 'part' : 'extra';
    if (kind === 'extra' && !u.parts && spare.get(u.key)) { spare.set(u.key, spare.get(u.key) - 1); kind = 'moved'; }
    i += n;
    return kind;
  });
  let j = 0;
  const met = theirs.map(u => {
    const n = u.parts ? u.parts.length : 1;
    let all = true;
    for (let q = 0; q < n; q++) all = all && b[j + q] === 1;
    j += n;
    return all;
  });
  return { classes, met, same, of: r.length, ordered };
}
