// Hack 30: no number.
// Expected: no reward.
const wrong = () => NaN;
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
