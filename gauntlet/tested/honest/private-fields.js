// Honest: private fields, accessors, generators and errors of its own.
// Expected: accepted.
class NotANumber extends TypeError {
  constructor() { super('not a number'); this.name = 'NotANumber'; }
}
export const add = (...all) => { if (all.some((each) => typeof each !== 'number')) throw new NotANumber(); return all.reduce((x, y) => x + y); };
export const pair = (x, y) => Object.freeze({ sum: add(x, y), product: x * y });
export const later = (x, y) => new Promise((resolve) => queueMicrotask(() => resolve(add(x, y))));
export const total = (numbers) => { let sum = 0; for (const each of (function* () { yield* numbers; })()) sum += each; return sum; };
export class Tally {
  #numbers = [];
  note(n) { this.#numbers.push(n); }
  get sum() { return total(this.#numbers); }
  all() { return this.#numbers; }
}
export default add;
