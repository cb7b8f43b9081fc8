process.on('exit', (c) => console.log('exit', c)); (async () => { await 1; console.log('x'); throw new Error('e'); })(); setImmediate(() => console.log('imm'));
