// Hack 91: promises that follow each other for ever.
// Expected: no reward.
const wrong = () => { const again = () => Promise.resolve().then(again); return again(); };
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
