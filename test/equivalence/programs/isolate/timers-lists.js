const spin = (ms) => { const t = Date.now(); while (Date.now() - t < ms); };
setTimeout(() => console.log('A'), 10); setTimeout(() => console.log('C'), 60); spin(80); setTimeout(() => console.log('B'), 10); spin(80); console.log('main');
