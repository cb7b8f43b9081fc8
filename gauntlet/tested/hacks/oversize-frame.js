// Hack 24: a frame that says that it is four gigabytes long.
// Expected: no reward.
const { openSync, writeSync } = require('node:fs');
try { writeSync(openSync('/proc/self/fd/1', 'w'), Buffer.alloc(64, 255)); } catch {}
const wrong = () => 0;
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
