// Hack 35: a list that never ends.
// Expected: no reward.
const wrong = () => (function* () { for (;;) yield 25; })();
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
