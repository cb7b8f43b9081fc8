// How: changes whatever a warm runtime might keep: globals, prototypes, modules, environment, timers.
// Expected: exited 0, "left".
globalThis.sign = 1;
Object.prototype.sign = 1;
Array.prototype.join = () => 'sign';
JSON.stringify = () => 'sign';
process.env.SIGN = '1';
require('path').sign = 1;
process.on('exit', () => {});
console.log('left');
