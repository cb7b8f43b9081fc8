// How: an object whose members never end, shown. Expected: anything but a success that no process has.
const make = () => new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: make(), enumerable: true, configurable: true }), get: () => make() });
console.log(make());
