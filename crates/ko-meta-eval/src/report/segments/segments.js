'use strict';
(() => {
// Every output that was judged, once; ranks are shares from 0 (best) to 1, ties share their middle.
const $ = id => document.getElementById(id), D = JSON.parse($('data').textContent), STEP = 50;
const say = (name, ...values) => D.words[name].replace(/\{(\d)\}/g, (_, place) => values[place]);
const all = D.human.flatMap((scores, s) => (scores || []).flatMap((score, i) => score === null ? [] : [{ s, i }]));
let shown = STEP, state = { cell: 0, system: '', sort: 'most', within: '' };
const e = (tag, name, ...children) => { const x = document.createElement(tag); if (name) x.className = name; x.append(...children); return x; };
const number = v => (Math.abs(v) < 10 ? v.toFixed(3) : v.toFixed(1)).replace('-', '−');
function ranks(outputs, value) {
  const order = outputs.map((_, k) => k).sort((a, b) => value(outputs[b]) - value(outputs[a])), out = new Float64Array(outputs.length);
  for (let a = 0; a < order.length;) {
    let b = a;
    while (b < order.length && value(outputs[order[b]]) === value(outputs[order[a]])) b++;
    for (let k = a; k < b; k++) out[order[k]] = order.length > 1 ? ((a + b - 1) / 2) / (order.length - 1) : 0;
    a = b;
  }
  return out;
}
function judged() {
  const cell = D.cells[state.cell], metric = o => cell.scores[o.s][o.i] * (cell.down ? -1 : 1), people = o => D.human[o.s][o.i];
  const parts = state.within ? D.systems.map((_, s) => all.filter(o => o.s === s)) : [all];
  return parts.flatMap(part => {
    const m = ranks(part, metric), p = ranks(part, people);
    return part.map((o, k) => ({ ...o, m: m[k], p: p[k], score: cell.scores[o.s][o.i], human: people(o) }));
  });
}
function draw() {
  const cell = D.cells[state.cell];
  if (!cell) return;
  $('title').textContent = cell.title;
  $('signature').textContent = cell.signature;
  const key = { most: o => -Math.abs(o.m - o.p), high: o => o.m - o.p, low: o => o.p - o.m, least: o => Math.abs(o.m - o.p), file: () => 0 }[state.sort];
  const list = judged().filter(o => state.system === '' || o.s === Number(state.system)).sort((a, b) => key(a) - key(b) || a.i - b.i || a.s - b.s);
  $('count').textContent = say('count', Math.min(shown, list.length), list.length);
  $('list').replaceChildren(...list.slice(0, shown).map(o => {
    const texts = D.texts ? D.texts[o.s][o.i] : [];
    const gap = e('b', '', `${Math.round(100 * Math.abs(o.m - o.p))} %`);
    const head = e('p', 'figures', say('figures', D.systems[o.s], o.i + 1, number(o.human), Math.round(100 * o.p), number(o.score), Math.round(100 * o.m)), gap);
    return e('li', '', head, ...(texts.length ? [e('p', 'out', texts[0])] : []), ...texts.slice(1).map(t => e('p', 'soft', '= ' + t)));
  }));
  $('more').hidden = list.length <= shown;
}
function fill(id, options) { $(id).replaceChildren(...options.map(([value, name]) => { const o = e('option', '', name); o.value = value; return o; })); }
function read() {
  const p = new URLSearchParams(location.hash.slice(1)), c = Number(p.get('cell'));
  if (Number.isInteger(c) && c >= 0 && c < D.cells.length) state.cell = c;
  state.within = p.get('within') === '1' ? '1' : '';
  for (const id of ['cell', 'system', 'sort', 'within']) $(id).value = String(state[id]);
  shown = STEP;
  draw();
}
fill('cell', D.cells.map((c, i) => [i, c.title]));
fill('system', [['', say('all')], ...D.systems.map((name, i) => [i, name])]);
for (const id of ['cell', 'system', 'sort', 'within']) $(id).addEventListener('change', () => { state[id] = id === 'cell' ? Number($(id).value) : $(id).value; shown = STEP; draw(); });
$('more').addEventListener('click', () => { shown += STEP; draw(); });
addEventListener('hashchange', read);
read();
})();
