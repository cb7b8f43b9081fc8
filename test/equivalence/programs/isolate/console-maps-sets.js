console.log(new Map([['a', 1], [{ k: 1 }, new Map([[1, new Set([1, 2])]])]]), new Set(['x', [1], {}]), new Map(), new Set());
console.log([new Map([[1, 2]])], { m: new Map([[1, { a: { b: { c: 1 } } }]]) });
