const assert = require('assert'); assert(true); assert.ok(1); assert.deepEqual({ a: [1, 2] }, { a: [1, 2] }); assert.notStrictEqual(1, 2); console.log('passed', typeof assert.AssertionError);
