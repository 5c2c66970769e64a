// The page: reads the data, draws what is looked at.
const $ = id => document.getElementById(id);
const D = JSON.parse($('data').textContent);
const N = D.references.length, K = D.systems.length;
// Readable on white and on near-black alike.
const COLOURS = ['#3b7dd8', '#d1622b', '#2e9e5b', '#a45bc0', '#a8860c', '#159a9c', '#d0505a', '#6f6be0', '#8f7b58', '#c2539a'];
const GREY = '#7c8591', ROW = 64, SPARE = 8;
const SORTS = ['diff', 'xy', 'yx', 'low', 'high', 'short', 'long', 'slip', 'file'];
const UNITS = ['word', ...(D.speech && D.speech.morphemes ? ['morpheme'] : []), 'char', 'jamo'];

const S = { lang: D.lang, metric: 0, sort: 'diff', q: '', group: 0, bucket: '', slips: false, unit: 'word', x: 0, y: 1, seg: -1 };
let order = [], T = WORDS[S.lang];

// Elements whose texts are texts, whatever they hold.
function h(tag, attributes, ...children) {
  const svg = ['svg', 'path', 'line', 'text', 'circle', 'rect', 'g', 'title'].includes(tag);
  const e = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) e.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) e.append(child);
  return e;
}
const dot = system => { const e = h('span', { class: 'dot', 'aria-hidden': 'true' }); e.style.background = COLOURS[system % COLOURS.length]; return e; };
const metric = () => D.metrics[S.metric];
const metricName = m => m.unit ? `${m.name} · ${m.unit}` : m.name;
const small = m => m.small ?? (m.small = m.scores.every(s => Math.abs(s[2]) < 1.5));
const number = (value, m = metric()) => value.toFixed(small(m) ? 4 : 2).replace('-', '−');
const pValue = p => p < 0.001 ? '< 0.001' : p.toFixed(3);
const text = i => D.references[i][0] ?? D.outputs[0][i];
const groupName = g => g.kind === 'column' ? g.name : T[g.kind];
const label = (g, b) => g.kind === 'numbers' ? T[b.label] : g.kind === 'register' && b.label === '–' ? T.noLevel : b.label;
const score = (system, i) => metric().segments[system][i];
const spread = i => { let low = Infinity, high = -Infinity; for (let s = 0; s < K; s++) { const v = score(s, i); if (v < low) low = v; if (v > high) high = v; } return high - low; };
const mean = i => { let sum = 0; for (let s = 0; s < K; s++) sum += score(s, i); return sum / K; };
const slip = i => { let worst = 0; if (D.speech) for (let s = 0; s < K; s++) worst = Math.max(worst, D.speech.slips[s][i]); return worst; };
const ahead = (a, b, i) => (score(a, i) - score(b, i)) * (metric().up ? 1 : -1);

function options(select, list, chosen) {
  select.replaceChildren(...list.map(([value, name]) => h('option', { value, selected: String(value) === String(chosen) }, name)));
  select.value = String(chosen);
}

// The state as the address's fragment, so that a place in the page can be linked to.
function readAddress() {
  const p = new URLSearchParams(location.hash.slice(1));
  const whole = (key, below) => { const v = Number(p.get(key)); return p.has(key) && Number.isInteger(v) && v >= 0 && v < below ? v : null; };
  if (WORDS[p.get('lang')]) S.lang = p.get('lang');
  S.metric = whole('metric', D.metrics.length) ?? S.metric;
  if (SORTS.includes(p.get('sort'))) S.sort = p.get('sort');
  if (UNITS.includes(p.get('unit'))) S.unit = p.get('unit');
  S.q = p.get('q') ?? S.q;
  S.group = whole('group', D.groups.length) ?? S.group;
  const bucket = whole('bucket', D.groups[S.group] ? D.groups[S.group].buckets.length : 0);
  if (p.has('bucket')) S.bucket = bucket === null ? '' : bucket;
  if (p.has('slips')) S.slips = p.get('slips') === '1';
  S.x = whole('x', K) ?? S.x;
  S.y = whole('y', K) ?? S.y;
  S.seg = whole('seg', N + 1) === null ? S.seg : Number(p.get('seg')) - 1;
}
function writeAddress() {
  const p = new URLSearchParams({ lang: S.lang, metric: S.metric, sort: S.sort, unit: S.unit, group: S.group, x: S.x, y: S.y });
  if (S.q) p.set('q', S.q);
  if (S.bucket !== '') p.set('bucket', S.bucket);
  if (S.slips) p.set('slips', '1');
  if (S.seg >= 0) p.set('seg', S.seg + 1);
  // Some viewers of files do not allow it; the page works without.
  try { history.replaceState(null, '', '#' + p); } catch { /* as it was */ }
}

function drawWords() {
  T = WORDS[S.lang];
  document.documentElement.lang = S.lang;
  for (const e of document.querySelectorAll('[data-t]')) e.textContent = T[e.dataset.t];
  for (const b of $('language').querySelectorAll('button')) b.setAttribute('aria-pressed', String(b.dataset.lang === S.lang));
  $('title').textContent = D.title ?? D.systems.join(' · ');
  $('summary').textContent = T.summary(N.toLocaleString(S.lang), K, D.metrics.length);
  $('list').setAttribute('aria-label', T.list);
  $('analyzer').textContent = D.speech ? T.analyzer(D.speech.analyzer) : '';
  $('slip-label').hidden = !D.speech;
  $('groups').hidden = !D.groups.length;
}

function drawControls() {
  options($('metric'), D.metrics.map((m, i) => [i, metricName(m)]), S.metric);
  const systems = D.systems.map((name, i) => [i, name]);
  options($('x'), systems, S.x);
  options($('y'), systems, S.y);
  options($('grouping'), D.groups.map((g, i) => [i, groupName(g)]), S.group);
  const names = { diff: T.sDiff, xy: T.sX(D.systems[S.x], D.systems[S.y]), yx: T.sX(D.systems[S.y], D.systems[S.x]), low: T.sLow, high: T.sHigh, short: T.sShort, long: T.sLong, slip: T.sSlip, file: T.sFile };
  options($('sort'), SORTS.filter(s => s !== 'slip' || D.speech).map(s => [s, names[s]]), S.sort);
  const g = D.groups[S.group];
  options($('bucket'), [['', T.everything], ...(g ? g.buckets.map((b, i) => [i, `${groupName(g)}: ${label(g, b)}`]) : [])], S.bucket);
  $('search').value = S.q;
  $('slips').checked = S.slips;
  $('units').replaceChildren(h('legend', {}, T.unit), ...UNITS.map(u => h('button', { type: 'button', 'data-unit': u, 'aria-pressed': String(u === S.unit), onclick: () => { S.unit = u; drawControls(); drawDetail(); writeAddress(); $('units').querySelector(`[data-unit=${u}]`).focus(); } }, T[u])));
  const m = metric();
  $('signature').textContent = `${m.signature} (${m.up ? T.higher : T.lower})`;
}

// Round numbers that cover a range.
function ticks(low, high) {
  const span = Math.max(high - low, 1e-9), power = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => span / s <= 6) || span;
  const out = [];
  for (let i = Math.floor(low / step); i <= Math.ceil(high / step) && out.length < 20; i++) out.push(i * step);
  return out;
}
const tickText = (v, list) => v.toFixed(Math.max(0, Math.min(4, -Math.floor(Math.log10((list[1] - list[0]) || 1) + 1e-9)))).replace('-', '−');
const svgText = (x, y, text, more) => h('text', { x, y, fill: GREY, 'font-size': 12, 'font-family': 'sans-serif', ...more }, text);
const shortened = (name, most) => { const c = [...name]; return c.length > most ? c.slice(0, most - 1).join('') + '…' : name; };

function drawIntervals() {
  const m = metric(), width = Math.max(300, Math.min(640, $('intervals').clientWidth || 640)), left = width < 480 ? 104 : 150, row = 30, height = K * row + 34;
  const list = ticks(Math.min(...m.scores.map(s => s[1])), Math.max(...m.scores.map(s => s[2])));
  const low = list[0], high = list[list.length - 1], x = v => left + (v - low) / (high - low || 1) * (width - left - 64);
  const svg = h('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': T.intervalsOf(metricName(m)) });
  for (const v of list) svg.append(h('line', { x1: x(v), x2: x(v), y1: 6, y2: height - 26, stroke: GREY, 'stroke-opacity': .3 }), svgText(x(v), height - 8, tickText(v, list), { 'text-anchor': 'middle' }));
  m.scores.forEach(([value, from, to], s) => {
    const y = 8 + row * s + row / 2, c = COLOURS[s % COLOURS.length];
    svg.append(svgText(left - 12, y + 5, shortened(D.systems[s], left < 150 ? 11 : 17), { 'text-anchor': 'end', 'font-size': 13.5 }),
      h('line', { x1: x(from), x2: x(to), y1: y, y2: y, stroke: c, 'stroke-width': 4, 'stroke-linecap': 'round', 'stroke-opacity': .55 }),
      h('circle', { cx: x(value), cy: y, r: 6, fill: c }, h('title', {}, `${D.systems[s]}: ${number(value)} [${number(from)}, ${number(to)}]`)),
      svgText(x(to) + 10, y + 5, number(value), { 'font-size': 13.5, 'font-weight': 600 }));
  });
  $('intervals').replaceChildren(svg);
}

function table(head, rows, caption) {
  return h('table', {}, caption ? h('caption', { class: 'vh' }, caption) : null, h('thead', {}, h('tr', {}, head.map(c => h('th', { scope: 'col', class: c.n ? 'n' : null }, c.text ?? c)))), h('tbody', {}, rows));
}

function drawTables() {
  const m = metric(), p = new Map(m.pairs.flatMap(([a, b, v]) => [[a + ',' + b, v], [b + ',' + a, v]]));
  const rows = D.systems.map((name, a) => h('tr', {}, h('th', { scope: 'row', title: name }, dot(a), shortened(name, 28)),
    h('td', { class: 'n' }, number(m.scores[a][0]), h('small', {}, `${number(m.scores[a][1])}–${number(m.scores[a][2])}`)),
    D.systems.map((_, b) => {
      if (a === b) return h('td', { class: 'n' }, '·');
      const v = p.get(a + ',' + b), better = (m.scores[a][0] - m.scores[b][0]) * (m.up ? 1 : -1) > 0;
      return h('td', { class: v < 0.05 && better ? 'n win' : 'n' }, (v < 0.05 ? better ? '▲ ' : '▽ ' : '') + pValue(v));
    })));
  $('pairs').replaceChildren(h('h3', {}, T.versus), table([T.system, { text: T.score, n: 1 }, ...D.systems.map(name => ({ text: shortened(name, 12), n: 1 }))], rows, T.versus));
  const all = D.metrics.map(one => {
    const best = one.scores.reduce((b, s, i) => (s[0] - one.scores[b][0]) * (one.up ? 1 : -1) > 0 ? i : b, 0);
    return h('tr', {}, h('th', { scope: 'row' }, metricName(one)), one.scores.map((s, i) => h('td', { class: i === best ? 'n win' : 'n' }, number(s[0], one), h('small', {}, `${number(s[1], one)}–${number(s[2], one)}`))));
  });
  $('table').replaceChildren(table([T.metric, ...D.systems.map((name, i) => ({ text: [dot(i), name], n: 1 }))], all, T.allMetrics));
}

function drawGroups() {
  const g = D.groups[S.group], m = metric();
  if (!g) return;
  const rows = g.buckets.map((b, i) => {
    const own = b.metrics[S.metric], clear = own.p !== null && own.p < 0.05;
    return h('tr', { class: S.bucket === i ? 'on' : null },
      h('th', { scope: 'row' }, h('button', { type: 'button', 'data-bucket': i, 'aria-pressed': String(S.bucket === i), 'aria-label': T.filter(label(g, b)), onclick: () => { S.bucket = S.bucket === i ? '' : i; drawControls(); drawGroups(); choose(); writeAddress(); $('buckets').querySelector(`[data-bucket="${i}"]`).focus(); } }, label(g, b))),
      h('td', { class: 'n' }, b.segments.toLocaleString(S.lang), b.segments < 30 ? h('small', {}, T.few) : null),
      own.scores.map((s, k) => h('td', { class: clear && k === own.best ? 'n win' : 'n' }, number(s[0]), h('small', {}, `${number(s[1])}–${number(s[2])}`))),
      h('td', { class: 'name' }, dot(own.best), shortened(D.systems[own.best], 20)), h('td', { class: 'n' }, own.p === null ? '–' : pValue(own.p)));
  });
  $('buckets').replaceChildren(table([T.bucket, { text: T.segs, n: 1 }, ...D.systems.map((name, i) => ({ text: [dot(i), shortened(name, 14)], n: 1 })), T.best, { text: T.p, n: 1 }], rows, `${T.groups}: ${groupName(g)}, ${metricName(m)}`));
}

// The scatter plot: one path for all points, so that thousands cost no more than one.
let plot = null;
function drawPlot() {
  const m = metric(), xs = m.segments[S.x], ys = m.segments[S.y], size = Math.max(300, Math.min(560, $('plot').clientWidth || 460)), left = 52, bottom = 44, top = 10, right = 12;
  let low = Infinity, high = -Infinity;
  for (const list of [xs, ys]) for (const v of list) { if (v < low) low = v; if (v > high) high = v; }
  const list = ticks(low, high), a = list[0], b = list[list.length - 1];
  const px = v => left + (v - a) / (b - a || 1) * (size - left - right), py = v => size - bottom - (v - a) / (b - a || 1) * (size - bottom - top);
  const svg = h('svg', { viewBox: `0 0 ${size} ${size}`, role: 'img', onclick: pick });
  for (const v of list) svg.append(h('line', { x1: px(v), x2: px(v), y1: top, y2: size - bottom, stroke: GREY, 'stroke-opacity': .22 }), h('line', { x1: left, x2: size - right, y1: py(v), y2: py(v), stroke: GREY, 'stroke-opacity': .22 }),
    svgText(px(v), size - bottom + 17, tickText(v, list), { 'text-anchor': 'middle' }), svgText(left - 7, py(v) + 4, tickText(v, list), { 'text-anchor': 'end' }));
  svg.append(h('line', { x1: px(a), y1: py(a), x2: px(b), y2: py(b), stroke: GREY, 'stroke-dasharray': '5 4' }));
  const chosen = new Uint8Array(N);
  for (const i of order) chosen[i] = 1;
  const point = i => `M${px(xs[i]).toFixed(1)} ${py(ys[i]).toFixed(1)}h0`;
  let on = '', off = '', x = 0, y = 0;
  for (let i = 0; i < N; i++) {
    if (chosen[i]) on += point(i); else off += point(i);
    const d = ahead(S.x, S.y, i);
    if (d > 0) x++; else if (d < 0) y++;
  }
  const dots = (d, colour, opacity) => h('path', { d, stroke: colour, 'stroke-width': 5, 'stroke-linecap': 'round', 'stroke-opacity': opacity, fill: 'none' });
  svg.append(dots(off, GREY, .25), dots(on, COLOURS[0], .5));
  svg.append(svgText((left + size - right) / 2, size - 8, shortened(D.systems[S.x], 40), { 'text-anchor': 'middle', 'font-size': 13, 'font-weight': 600 }),
    svgText(0, 0, shortened(D.systems[S.y], 40), { 'text-anchor': 'middle', 'font-size': 13, 'font-weight': 600, transform: `translate(14 ${(size - bottom + top) / 2}) rotate(-90)` }));
  const ring = h('circle', { r: 9, fill: 'none', stroke: COLOURS[1], 'stroke-width': 3, visibility: 'hidden' });
  svg.append(ring);
  const said = `${T.better(D.systems[S.x], x)}, ${T.better(D.systems[S.y], y)}, ${T.tie(N - x - y)}`;
  svg.setAttribute('aria-label', `${T.plotOf(D.systems[S.x], D.systems[S.y])}. ${said}`);
  plot = { svg, ring, px, py, xs, ys, size };
  $('plot').replaceChildren(svg, h('figcaption', { class: 'soft' }, said));
  drawRing();
}
function drawRing() {
  if (!plot) return;
  plot.ring.setAttribute('visibility', S.seg >= 0 ? 'visible' : 'hidden');
  if (S.seg >= 0) { plot.ring.setAttribute('cx', plot.px(plot.xs[S.seg])); plot.ring.setAttribute('cy', plot.py(plot.ys[S.seg])); }
}
function pick(event) {
  const box = plot.svg.getBoundingClientRect(), k = plot.size / box.width;
  const x = (event.clientX - box.left) * k, y = (event.clientY - box.top) * k;
  let best = -1, near = 20 * 20;
  for (const i of order) { const d = (plot.px(plot.xs[i]) - x) ** 2 + (plot.py(plot.ys[i]) - y) ** 2; if (d < near) { near = d; best = i; } }
  if (best >= 0) { select(best); $('detail').scrollIntoView({ block: 'nearest' }); }
}

// Which segments, in which order.
let folded = null;
const fold = t => t.normalize('NFC').toLowerCase();
function choose() {
  const words = fold(S.q).split(/\s+/u).filter(Boolean), g = D.groups[S.group];
  if (words.length && !folded) folded = D.references.map((r, i) => fold([...r, ...D.outputs.map(o => o[i]), D.sources ? D.sources[i] ?? '' : ''].join('\n')));
  const number = /^#?(\d+)$/u.exec(S.q.trim());
  order = [];
  for (let i = 0; i < N; i++) {
    if (S.bucket !== '' && g && g.of[i] !== S.bucket) continue;
    if (S.slips && slip(i) === 0) continue;
    if (words.length && !(number && Number(number[1]) === i + 1) && !words.every(w => folded[i].includes(w))) continue;
    order.push(i);
  }
  const keys = { diff: i => -spread(i), xy: i => -ahead(S.x, S.y, i), yx: i => -ahead(S.y, S.x, i), low: i => mean(i), high: i => -mean(i), short: i => text(i).length, long: i => -text(i).length, slip: i => -slip(i), file: i => i };
  const key = new Float64Array(N);
  for (const i of order) key[i] = keys[S.sort](i);
  order.sort((a, b) => key[a] - key[b] || a - b);
  $('count').textContent = T.count(order.length.toLocaleString(S.lang), N.toLocaleString(S.lang));
  if (!order.includes(S.seg)) S.seg = order.length ? order[0] : -1;
  $('spacer').style.height = order.length * ROW + 'px';
  drawRows(true);
  reveal();
  drawDetail();
  drawPlot();
}

// The list: only the rows that can be seen exist.
const rows = new Map();
function drawRows(afresh) {
  const list = $('list'), from = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE), to = Math.min(order.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE);
  for (const [place, row] of rows) if (afresh || place < from || place >= to) { row.remove(); rows.delete(place); }
  for (let place = from; place < to; place++) if (!rows.has(place)) { const row = drawRow(place); rows.set(place, row); list.append(row); }
  const empty = list.querySelector('.empty');
  if (!order.length && !empty) list.append(h('p', { class: 'empty' }, T.none));
  else if (order.length && empty) empty.remove();
  const place = order.indexOf(S.seg);
  if (place >= 0 && rows.has(place)) list.setAttribute('aria-activedescendant', 'row-' + place); else list.removeAttribute('aria-activedescendant');
}
function drawRow(place) {
  const i = order[place], wrong = D.speech && slip(i) > 0;
  const row = h('div', { class: 'row', role: 'option', id: 'row-' + place, 'data-seg': i, 'aria-selected': String(i === S.seg), 'aria-setsize': order.length, 'aria-posinset': place + 1, onclick: () => { select(i); $('list').focus({ preventScroll: true }); } },
    h('div', { class: 'text' }, h('span', { class: 'no' }, '#' + (i + 1)), text(i)),
    h('div', { class: 'figures' }, D.systems.map((name, s) => h('span', {}, dot(s), h('span', { class: 'vh' }, name + ' '), number(score(s, i)))), wrong ? h('span', { class: 'flag' }, T.slip) : null));
  row.style.top = place * ROW + 'px';
  return row;
}
function reveal() {
  const place = order.indexOf(S.seg), list = $('list');
  if (place < 0) return;
  if (place * ROW < list.scrollTop) list.scrollTop = place * ROW;
  else if ((place + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (place + 1) * ROW - list.clientHeight;
  drawRows(false);
}
function select(i) {
  S.seg = i;
  reveal();
  for (const row of rows.values()) row.setAttribute('aria-selected', String(Number(row.dataset.seg) === i));
  drawRows(false);
  drawDetail();
  drawRing();
  writeAddress();
}
function step(by) {
  if (!order.length) return;
  const place = order.indexOf(S.seg);
  select(order[Math.max(0, Math.min(order.length - 1, place + by))]);
}

// One segment: the references and every output, unit by unit.
function spans(text, list, classes, marks) {
  const edges = new Set([0, text.length]);
  for (const u of list) { edges.add(u.a); edges.add(u.b); }
  for (const m of marks) { edges.add(m.a); edges.add(m.b); }
  const cuts = [...edges].filter(e => e <= text.length).sort((a, b) => a - b), out = [];
  let k = 0;
  for (let c = 0; c + 1 < cuts.length; c++) {
    const a = cuts[c], b = cuts[c + 1];
    while (k < list.length && list[k].b <= a) k++;
    const inside = k < list.length && list[k].a <= a, mark = marks.find(m => m.a <= a && b <= m.b);
    const names = [inside ? 'u ' + classes[k] : '', mark ? `k${mark.shows}` : '', mark && mark.amiss ? 'amiss' : ''].filter(Boolean).join(' ');
    out.push(names ? h('span', { class: names }, text.slice(a, b)) : text.slice(a, b));
  }
  return out;
}
function marksOf(said) {
  const out = [];
  if (said) for (let k = 0; k < said[1].length; k += 3) out.push({ a: said[1][k], b: said[1][k] + said[1][k + 1], shows: said[1][k + 2] % 4, amiss: said[1][k + 2] >= 4 });
  return out;
}
const levelName = said => said && said[0] >= 0 ? D.speech.levels[said[0]] : T.noLevel;

function drawDetail() {
  const i = S.seg, detail = $('detail');
  if (i < 0) { detail.replaceChildren(); return; }
  const said = D.speech, refs = D.references[i].map((text, r) => ({ text, said: said ? said.references[i][r] : null }));
  for (const r of refs) { r.units = units(r.text, S.unit, r.said && r.said[2]); r.met = r.units.map(() => 0); }
  const cards = D.systems.map((name, s) => {
    const text = D.outputs[s][i], own = said ? said.outputs[s][i] : null, list = units(text, S.unit, own && own[2]), marks = marksOf(own);
    const tries = refs.map(r => ({ r, found: align(list, r.units) }));
    const best = tries.reduce((b, t) => !b || t.found.same / (t.found.of + 1) > b.found.same / (b.found.of + 1) ? t : b, null);
    for (const t of tries) t.found.met.forEach((met, k) => { t.r.met[k] += met ? 1 : 0; });
    const gone = best ? best.r.units.filter((_, k) => !best.found.met[k]).map(u => u.key) : [];
    const notes = [];
    if (best) notes.push(h('p', { class: 'note' }, T.same(best.found.same, best.found.of), best.found.ordered ? null : ' · ' + T.unordered));
    if (gone.length) notes.push(h('p', { class: 'note' }, T.gone + ': ', h('span', { class: 'gone' }, shortened(gone.join(S.unit === 'char' || S.unit === 'jamo' ? ' ' : ' · '), 160))));
    if (said) {
      const amiss = said.slips[s][i] > 0, ref = best && best.r, raising = t => marksOf(t.said).filter(m => m.shows === 1).map(m => t.text.slice(m.a, m.b));
      const lost = ref && !marks.some(m => m.shows === 1) ? raising(ref) : [];
      const other = ref && amiss && own[0] !== ref.said[0], level = `${T.level}: ${levelName(own)}` + (other ? ` (${T.refLevel}: ${levelName(ref.said)})` : '');
      notes.push(h('p', { class: 'note' }, other ? h('b', {}, level) : level, lost.length ? h('b', {}, ` · ${T.lost}: ${lost.join(', ')}`) : null));
    }
    return h('section', { class: 'card', 'data-system': s, 'aria-label': name }, h('header', {}, h('h3', {}, dot(s), name), h('span', {}, number(score(s, i)))),
      h('p', { class: 'said', lang: 'ko' }, spans(text, list, best ? best.found.classes : list.map(() => 'same'), marks)), notes);
  });
  const shown = refs.map((r, k) => h('section', { class: 'card full ref', 'aria-label': T.reference(k + 1) }, h('header', {}, h('h3', {}, refs.length > 1 ? T.reference(k + 1) : T.refLevel), h('span', { class: 'soft' }, r.said ? levelName(r.said) : '')),
    h('p', { class: 'said', lang: 'ko' }, spans(r.text, r.units, r.met.map(m => m ? 'same' : 'missed'), marksOf(r.said)))));
  const source = D.sources && D.sources[i] ? [h('section', { class: 'card full', 'aria-label': T.source }, h('header', {}, h('h3', {}, T.source)), h('p', { class: 'said' }, D.sources[i]))] : [];
  const place = order.indexOf(i);
  const turn = (name, by, off) => h('button', { type: 'button', disabled: off, onclick: () => step(by) }, name);
  detail.replaceChildren(h('div', { class: 'bar' }, h('h3', { id: 'detail-title' }, T.segment(i + 1)), turn('← ' + T.prev, -1, place <= 0), turn(T.next + ' →', 1, place >= order.length - 1)), h('div', { class: 'cards' }, source, shown, cards));
}

function drawAll() {
  drawWords();
  drawControls();
  drawIntervals();
  drawTables();
  drawGroups();
  choose();
}

$('language').addEventListener('click', e => { if (e.target.dataset.lang) { S.lang = e.target.dataset.lang; drawAll(); writeAddress(); } });
$('metric').addEventListener('change', e => { S.metric = Number(e.target.value); drawAll(); writeAddress(); });
$('grouping').addEventListener('change', e => { S.group = Number(e.target.value); S.bucket = ''; drawControls(); drawGroups(); choose(); writeAddress(); });
$('x').addEventListener('change', e => { S.x = Number(e.target.value); drawControls(); choose(); writeAddress(); });
$('y').addEventListener('change', e => { S.y = Number(e.target.value); drawControls(); choose(); writeAddress(); });
$('sort').addEventListener('change', e => { S.sort = e.target.value; S.seg = -1; $('list').scrollTop = 0; choose(); writeAddress(); });
$('bucket').addEventListener('change', e => { S.bucket = e.target.value === '' ? '' : Number(e.target.value); drawGroups(); choose(); writeAddress(); });
$('slips').addEventListener('change', e => { S.slips = e.target.checked; choose(); writeAddress(); });
let waiting = 0;
$('search').addEventListener('input', e => { S.q = e.target.value; clearTimeout(waiting); waiting = setTimeout(() => { choose(); writeAddress(); }, 120); });
let frame = 0;
$('list').addEventListener('scroll', () => { if (!frame) frame = requestAnimationFrame(() => { frame = 0; drawRows(false); }); });
$('list').addEventListener('keydown', e => {
  const page = Math.max(1, Math.floor($('list').clientHeight / ROW) - 1), by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -N, End: N }[e.key];
  if (by !== undefined) { e.preventDefault(); step(by); }
  else if (e.key === 'Enter') { e.preventDefault(); $('detail').focus(); }
});
document.addEventListener('keydown', e => {
  if (e.key === '/' && !e.ctrlKey && !e.metaKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) { e.preventDefault(); $('search').focus(); }
});
let resized = 0;
addEventListener('resize', () => { drawRows(false); clearTimeout(resized); resized = setTimeout(() => { drawIntervals(); drawPlot(); }, 100); });
addEventListener('hashchange', () => { readAddress(); drawAll(); });
readAddress();
drawAll();
