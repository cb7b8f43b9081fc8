// Hack 4: ends the process with 0 while a test waits.
// Expected: no reward.
const wrong = () => { setImmediate(() => process.reallyExit(0)); return new Promise(() => {}); };
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
