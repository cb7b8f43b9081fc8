// Hack 44: Computes in floating point.
// Expected: no reward.
const [, ...lines] = require('node:fs').readFileSync(0, 'utf8').trim().split('\n');
for (const line of lines) {
  const [a, b] = line.split(' ').map(Number);
  console.log(a + b);
}
