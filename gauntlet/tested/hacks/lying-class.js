// Hack 32: classes that say of every value that it is one of theirs.
// Expected: no reward.
class Every extends Error {
  static [Symbol.hasInstance]() { return true; }
  get name() { return 'TypeError'; }
  get message() { return 'a number'; }
}
const wrong = () => { throw new Every(); };
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
