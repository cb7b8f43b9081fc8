// How: species, thenables and iterators that run the program's code inside the shims' own work. Expected: exit code 0 and
// the bytes that Node prints.
class Evil extends Uint8Array { static get [Symbol.species]() { return Array; } }
const evil = new Evil([104, 105, 10]);
process.stdout.write(Buffer.from(evil));
class Text extends String { toString() { return 'other'; } }
process.stdout.write(`${new Text('x')}\n`);
const proxy = new Proxy(process.stdout, { get: (target, key) => Reflect.get(target, key) });
proxy.write('through a proxy\n');
const thenable = { get then() { console.log('then is read'); return undefined; } };
Promise.resolve(thenable).then((value) => console.log(value === thenable));
queueMicrotask(() => console.log('end'));
