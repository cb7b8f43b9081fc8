// Honest: reckons in a thread.
// Expected: accepted.
const { Worker } = require('node:worker_threads');
function add(x, y) {
  if (typeof x !== 'number' || typeof y !== 'number') throw new TypeError('not a number');
  return x + y;
}
const pair = (x, y) => ({ sum: add(x, y), product: x * y });
const total = (numbers) => numbers.reduce(add, 0);
async function later(x, y) {
  const text = 'const { parentPort, workerData } = require("node:worker_threads"); parentPort.postMessage(workerData[0] + workerData[1])';
  const worker = new Worker(text, { eval: true, workerData: [x, y] });
  return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}
class Tally {
  constructor() { this.numbers = []; }
  note(n) { this.numbers.push(n); }
  get sum() { return this.numbers.reduce((a, b) => a + b, 0); }
  all() { return [...this.numbers]; }
}
module.exports = { add, pair, later, total, Tally };
