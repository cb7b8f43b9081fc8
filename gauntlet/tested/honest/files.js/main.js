// Honest: a program of several files.
// Expected: accepted.
import { add, check } from './lib/add.mjs';
import { Tally } from './lib/tally.js';
const pair = (x, y) => ({ sum: add(x, y), product: x * y });
const total = (numbers) => numbers.reduce(add, 0);
const later = async (x, y) => check(add(x, y));
export { add, pair, later, total, Tally };
