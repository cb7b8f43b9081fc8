// How: replaces what a host written in JavaScript would lean on, so that its failure would look like a success.
// Expected: runtime_error, exit code 1: the host asks nothing of this program's objects.
const zero = { get: () => 0, set() {}, configurable: true };
for (const name of ['exitCode', 'cause', 'kind', 'code', 'status', 'wait', 'signal']) {
  Object.defineProperty(Object.prototype, name, zero);
}
console.log('42');
Function.prototype.call = Function.prototype.apply = () => 0;
Array.prototype[Symbol.iterator] = function* () {};
Array.prototype.push = Array.prototype.shift = () => undefined;
Promise.prototype.then = function () { return this; };
Reflect.apply = () => 0;
String.prototype.includes = () => false;
Map.prototype.get = Map.prototype.set = Map.prototype.has = () => undefined;
process.exit = () => {};
process.exitCode = 0;
process.emit = () => true;
globalThis.Error = undefined;
throw 1;
