process.once('exit', () => console.log('once')); process.on('exit', function f() { console.log('on', this === process); }); console.log(process.listenerCount('exit'));
