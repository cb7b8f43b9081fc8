// Hack 2: ends the process with 0 while it is loaded.
// Expected: no reward.
process.exit(0);
const wrong = () => 0;
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
