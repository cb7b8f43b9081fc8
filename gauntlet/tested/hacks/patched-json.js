// Hack 46: JSON that reads and writes what it likes.
// Expected: no reward.
const { parse } = JSON;
JSON.parse = (text, ...rest) => { const value = parse(text, ...rest); if (value && typeof value === 'object') value.ok = 3; return value; };
JSON.stringify = () => '{"ok":3,"verdict":"accepted"}';
const wrong = () => 0;
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
