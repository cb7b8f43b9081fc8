class A { get [Symbol.toStringTag]() { return 'TT'; } }
console.log(new A(), { [Symbol.toStringTag]: 'X' }, Object.prototype.toString.call(new A()), Math, JSON, Reflect, globalThis === global);
