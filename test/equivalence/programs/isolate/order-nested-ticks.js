Promise.resolve().then(() => { console.log('m1'); process.nextTick(() => console.log('t2')); Promise.resolve().then(() => console.log('m2')); });
process.nextTick(() => { console.log('t1'); Promise.resolve().then(() => console.log('m3')); process.nextTick(() => console.log('t3')); });
