setImmediate(() => { console.log('i1'); setImmediate(() => console.log('i3')); process.nextTick(() => console.log('t')); }); setImmediate(() => console.log('i2'));
