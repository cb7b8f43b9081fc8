// Hack 23: an answer that holds itself.
// Expected: no reward.
const wrong = () => { const list = []; list.push(list, { list }); return list; };
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
