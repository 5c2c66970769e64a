'use strict';
(() => {
const $ = id => document.getElementById(id), D = JSON.parse($('data').textContent), PAGE = 10, LAST = Math.ceil(D.rows.length / PAGE) - 1;
const say = (name, ...values) => D.words[name].replace(/\{(\d)\}/g, (_, place) => values[place]);
const e = (tag, name, ...children) => { const x = document.createElement(tag); if (name) x.className = name; x.append(...children); return x; };
// Answers by row: four numbers, or a sentence. A browser that forbids memory for files only forgets.
let answers = {}, page = 0;
try { const kept = JSON.parse(localStorage.getItem(D.memory) || '{}'); answers = kept.answers || {}; $('name').value = kept.name || ''; } catch { answers = {}; }
const keep = () => { try { localStorage.setItem(D.memory, JSON.stringify({ name: $('name').value, answers })); } catch { /* nothing is lost but the memory */ } };
const given = row => { const a = answers[row]; return a === undefined ? 0 : D.criteria.length ? D.criteria.filter(c => a[c.name] !== undefined).length : a.trim() ? 1 : 0; };
const wanted = Math.max(1, D.criteria.length), isDone = row => given(row) === wanted;
function question(row, item, c) {
  const set = e('fieldset', '', e('legend', '', e('b', '', c.title), c.question));
  c.answers.forEach((text, value) => {
    const input = e('input'); input.type = 'radio'; input.name = `${row}-${c.name}`; input.value = value;
    input.checked = (answers[row] || {})[c.name] === value;
    input.addEventListener('change', () => { (answers[row] ||= {})[c.name] = value; keep(); tell(); item.classList.toggle('done', isDone(row)); });
    set.append(e('label', '', input, `${value} · ${text}`));
  });
  return set;
}
function writing(row, item) {
  const text = e('textarea'); text.value = answers[row] || ''; text.maxLength = 500;
  text.addEventListener('input', () => { answers[row] = text.value.replace(/\s*\n\s*/g, ' '); keep(); tell(); item.classList.toggle('done', isDone(row)); });
  return e('label', '', e('span', '', say('sentence')), text);
}
function draw() {
  const rows = D.rows.slice(page * PAGE, (page + 1) * PAGE).map((_, i) => page * PAGE + i);
  $('list').replaceChildren(...rows.map(row => {
    const [concepts, sentence] = D.rows[row], item = e('li', isDone(row) ? 'done' : '');
    item.append(e('p', 'concepts', `${row + 1}. ${say('concepts')}: ${concepts.split('#').join(' · ')}`));
    if (sentence === null) item.append(writing(row, item));
    else item.append(e('p', 'sentence', sentence), ...D.criteria.map(c => question(row, item, c)));
    return item;
  }));
  $('page').textContent = say('page', page + 1, LAST + 1);
  $('back').disabled = page === 0; $('next').disabled = page === LAST;
  tell();
}
function tell() { $('state').textContent = say('done', D.rows.filter((_, row) => isDone(row)).length, D.rows.length); }
function go(to) { page = Math.max(0, Math.min(LAST, to)); draw(); scrollTo(0, 0); }
const quoted = text => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
function csv() {
  const lines = [D.columns];
  D.rows.forEach(([concepts, sentence], row) => {
    if (!given(row)) return;
    const own = D.criteria.length ? [sentence, ...D.criteria.map(c => String(answers[row][c.name] ?? ''))] : [answers[row].trim()];
    lines.push([$('name').value.trim(), String(row + 1), concepts, ...own]);
  });
  return lines.map(line => line.map(quoted).join(',') + '\n').join('');
}
$('save').addEventListener('click', () => {
  const half = D.rows.filter((_, row) => given(row) && !isDone(row)).length;
  if (!$('name').value.trim()) { $('state').textContent = say('nameless'); $('name').focus(); return; }
  if (half) { $('state').textContent = say('half', half); return; }
  const link = e('a'); link.href = URL.createObjectURL(new Blob([csv()], { type: 'text/csv' })); link.download = `${$('name').value.trim()}.csv`;
  link.click(); setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
$('name').addEventListener('input', keep);
$('back').addEventListener('click', () => go(page - 1));
$('next').addEventListener('click', () => go(page + 1));
$('open').addEventListener('click', () => { const row = D.rows.findIndex((_, row) => !isDone(row)); if (row >= 0) go(Math.floor(row / PAGE)); });
draw();
})();
