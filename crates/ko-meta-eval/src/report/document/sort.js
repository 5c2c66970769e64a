'use strict';
for (const button of document.querySelectorAll('th button')) button.addEventListener('click', () => {
  const th = button.parentNode, body = th.closest('table').tBodies[0], up = th.ariaSort === 'descending';
  for (const other of th.parentNode.cells) other.removeAttribute('aria-sort');
  th.ariaSort = up ? 'ascending' : 'descending';
  const key = row => {
    const cell = row.cells[th.cellIndex], v = cell.dataset.v;
    return v === undefined ? cell.textContent : v === '' ? null : Number(v);
  };
  const order = (a, b) => typeof a === 'string' || typeof b === 'string' ? String(b).localeCompare(String(a), 'ko') : b - a;
  [...body.rows].map(row => [key(row), row])
    .sort(([a], [b]) => a === null ? (b === null ? 0 : 1) : b === null ? -1 : up ? order(b, a) : order(a, b))
    .forEach(([, row]) => body.append(row));
});
