process.nextTick(() => { throw new Error('tick'); }); process.on('exit', (c) => console.log('code', c));
