const { setTimeout: st, clearTimeout: ct } = require('timers'); st(() => console.log('m'), 1); console.log(st === setTimeout, typeof ct);
