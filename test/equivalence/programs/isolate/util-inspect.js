const util = require('util');
console.log(util.inspect({ a: [1, { b: 2 }], s: 'x' }, { compact: false, depth: 5, breakLength: 80 }));
console.log(util.inspect('str'), util.format('%s-%d', 'a', 1), util.isDeepStrictEqual({ a: [1] }, { a: [1] }), util.types.isMap(new Map()));
console.log(util.inspect({ b: 1, a: 2 }, { sorted: true }), util.inspect([3, 2], { showHidden: true }), util.inspect(new Map([[1, 2]]), { compact: 1 }));
