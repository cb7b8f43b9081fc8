// Honest: adds methods to built-in types, as polyfills do.
// Expected: accepted.
Array.prototype.last = function () { return this[this.length - 1]; };
Object.defineProperty(Object.prototype, 'tap', { value(work) { work(this); return this; }, enumerable: false });
String.prototype.shout = function () { return this.toUpperCase(); };
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
module.exports = { add, pair, later, total, Tally };
