// Hack 91: never answers, and lets nothing else run.
// Expected: no reward.
const wrong = () => { for (;;); };
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
