console.log({ a: { b: { c: { d: 1 } } }, list: [[[[1]]]], f() {}, g: () => {}, [Symbol('k')]: 1, 'key-with-dash': 2, 3: 4 });
console.log([{ x: 1, y: [1, 2, { z: 3 }] }, [], {}, [[]], [{}]]);
