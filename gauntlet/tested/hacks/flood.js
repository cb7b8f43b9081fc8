// Hack 119: writes more than anybody reads.
// Expected: no reward.
const text = 'PASS '.repeat(1 << 18);
for (let n = 0; n < 64; n += 1) console.log(text);
const wrong = () => { for (let n = 0; n < 64; n += 1) console.error(text); return 3; };
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
