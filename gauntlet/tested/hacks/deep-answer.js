// Hack 23: an answer that is nested more deeply than anybody reads.
// Expected: no reward.
const wrong = () => { let deep = []; for (let n = 0; n < 300000; n += 1) deep = [deep]; return deep; };
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
