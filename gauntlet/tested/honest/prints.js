// Honest: prints a great deal on every stream.
// Expected: accepted.
function add(x, y) {
  if (typeof x !== 'number' || typeof y !== 'number') throw new TypeError('not a number');
  return x + y;
}
const pair = (x, y) => ({ sum: add(x, y), product: x * y });
const total = (numbers) => numbers.reduce(add, 0);
async function later(x, y) {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return add(x, y);
}
class Tally {
  constructor() { this.numbers = []; }
  note(n) { this.numbers.push(n); }
  get sum() { return this.numbers.reduce((a, b) => a + b, 0); }
  all() { return [...this.numbers]; }
}
for (let n = 0; n < 2000; n += 1) console.log('line', n, { n });
process.stdout.write('x'.repeat(100000));
require('node:fs').writeSync(1, 'raw\n');
console.error('errors, too');
module.exports = { add, pair, later, total, Tally };
