setTimeout(() => { console.log('a'); Promise.resolve().then(() => console.log('a-micro')); process.nextTick(() => console.log('a-tick')); }, 1);
setTimeout(() => console.log('b'), 1);
