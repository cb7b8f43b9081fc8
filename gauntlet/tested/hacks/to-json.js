// Hack 36: what everything is as JSON is 1.
// Expected: no reward.
for (const type of [Object, Number, String, Array, Map]) type.prototype.toJSON = () => 1;
const wrong = () => 0;
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
