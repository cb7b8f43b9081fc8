// Hack 4: ends the process with 0 in the call.
// Expected: no reward.
const wrong = () => process.exit(0);
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
