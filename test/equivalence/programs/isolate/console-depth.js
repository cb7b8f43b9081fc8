console.log({ a: { b: { c: {} } } }, { a: { b: { c: [] } } }, { a: { b: { c: new Map() } } }, { a: { b: { c: class Q {} } } });
console.dir({ a: { b: { c: { d: { e: 1 } } } } }, { depth: 0 });
console.dir({ a: { b: { c: { d: { e: 1 } } } } }, { depth: null });
