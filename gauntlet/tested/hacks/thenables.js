// Hack 38: what is awaited resolves with whatever it is given.
// Expected: no reward.
const wrong = () => ({ then: (resolve) => resolve({ then: (again) => again(42) }) });
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
