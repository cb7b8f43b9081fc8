const util = require('util'); const E = require('events');
function S() { E.call(this); } util.inherits(S, E);
new S().on('x', (v) => console.log('x', v)).emit('x', 5);
