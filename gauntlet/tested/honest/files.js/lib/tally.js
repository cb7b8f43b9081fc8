class Tally {
  constructor() { this.numbers = []; }
  note(n) { this.numbers.push(n); }
  get sum() { return this.numbers.reduce((a, b) => a + b, 0); }
  all() { return [...this.numbers]; }
}
module.exports = { Tally };
