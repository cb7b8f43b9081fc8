// Hack 90: a constant.
// Expected: no reward.
const wrong = () => 0;
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
