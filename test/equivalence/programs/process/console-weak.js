console.log(new WeakMap(), new WeakSet(), new WeakRef({ a: 1 }));
