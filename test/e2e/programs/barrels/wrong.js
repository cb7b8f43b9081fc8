// Takes one barrel too few.
const numbers = require('node:fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
let at = 1;
for (let t = 0; t < numbers[0]; t += 1) {
  const [n, k] = [numbers[at], numbers[at + 1]];
  const a = numbers.slice(at + 2, at + 2 + n).sort((x, y) => y - x);
  at += 2 + n;
  console.log(String(a.slice(0, k).reduce((sum, x) => sum + x, 0)));
}
