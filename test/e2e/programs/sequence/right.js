const words = require('node:fs').readFileSync(0, 'utf8').trim().split(/\s+/).values();
const next = () => words.next().value;
const row = (n) => Array.from({ length: n }, next);
for (let t = Number(next()); t > 0; t -= 1) {
  const n = Number(next());
  const rows = [row(n), row(n), row(n)];
  const p = [];
  for (let i = 0; i < n; i += 1) {
    const taken = [p[i - 1], i === n - 1 ? p[0] : undefined];
    p.push(rows.map((each) => each[i]).find((x) => !taken.includes(x)));
  }
  console.log(p.join(' '));
}
