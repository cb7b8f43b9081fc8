const assert = require('assert'); const util = require('util');
const pairs = [[[1], [1]], [[1, , 2], [1, , 2]], [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }], [new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]])], [new Set([1, [2]]), new Set([1, [2]])], [new Date(0), new Date(0)], [/a/g, /a/g], [new Uint8Array([1]), new Uint8Array([1])], [1, '1'], [[1], ['1']], [NaN, NaN], [{ a: undefined }, {}], [[1, 2], [2, 1]], [new Set([{ a: 1 }]), new Set([{ a: 1 }])], [Object(1), Object(1)], [new Error('x'), new Error('x')], [Object.assign([1], { x: 1 }), [1]], [{ [Symbol.for('s')]: 1 }, { [Symbol.for('s')]: 2 }]];
const holds = (check, a, b) => { try { check(a, b); return true; } catch (e) { return e.code; } };
console.log(pairs.map(([a, b]) => util.isDeepStrictEqual(a, b)).join());
for (const [a, b] of pairs.slice(0, 8)) { assert.deepEqual(a, b); assert.deepStrictEqual(a, b); }
assert.throws(() => { throw new TypeError('t'); }, TypeError); assert.doesNotThrow(() => 1); console.log('passed');
