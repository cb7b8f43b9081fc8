// How: one own attempt for each way in which walls inside a process have been passed (constructors of host objects, errors
// the host throws, species, proxies, generators, promises, stack traces, inspection, dynamic import, buffers …). What an
// attempt gets hold of is asked for its global object; one that is not the program's own is an escape. Words that would
// have it run by a process at once are written in two parts, so that the first to meet it is the isolate.
// Expected: exited 0; every line says "no", in an isolate and in a process.
const own = globalThis;
const attempts = {};
let depth = 0;

// Whether a value is of another world: its functions have another global object.
function reaches(value) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  try {
    const make = value.constructor.constructor;
    return typeof make === 'function' && make('return this')() !== own;
  } catch {
    return false;
  }
}
const thrown = (call) => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};
const deep = (call) => thrown(function again() {
  depth++;
  const inner = thrown(call);
  return inner instanceof RangeError ? inner : again();
});

attempts.constructorOfThis = () => [this, own, globalThis.console, globalThis.console?.log];
attempts.hostFunctions = () => [setTimeout, clearTimeout, queueMicrotask, structuredClone, process?.stdout?.write, process.nextTick];
attempts.argumentsCaller = () => [Function('return arguments.callee.caller')(), (function f() { return thrown(() => f.caller); })()];
attempts.stackTraces = () => {
  const name = 'prepare' + 'StackTrace';
  const before = Error[name];
  Error[name] = (_, sites) => sites;
  const { stack } = new Error();
  Error[name] = before;
  const sites = Array.isArray(stack) ? stack : [];
  return sites.flatMap((site) => [site, site.getThis?.(), site.getFunction?.()]);
};
attempts.captureStackTrace = () => { const o = {}; Error.captureStackTrace?.(o); return [o, o.stack]; };
attempts.errorsOfTheHost = () => ['readFileSync', 'openSync', 'statSync'].map((name) => thrown(() => require('fs')[name]('/none/\0')));
attempts.rangeErrors = () => [deep(() => JSON.stringify({})), deep(() => process.hrtime()), deep(() => require('util').inspect({}))];
attempts.typeErrors = () => [thrown(() => Buffer.from(null)), thrown(() => process.chdir({})), thrown(() => new URL('')), thrown(() => Symbol() + '')];
attempts.errorCause = () => [thrown(() => { throw new Error('a', { cause: thrown(() => require('none')) }); }).cause];
attempts.suppressedErrors = () => [typeof SuppressedError === 'function' ? new SuppressedError(thrown(() => require('x')), 1) : null];
attempts.proxies = () => [new Proxy(console.log, {}), new Proxy(process, { get: (t, k, r) => Reflect.get(t, k, r) }).exit];
attempts.proxyAsPrototype = () => { let seen; const p = new Proxy({}, { get: (t, k, r) => { seen = r; } }); const o = Object.create(p); thrown(() => String(o)); return [seen]; };
attempts.getters = () => { let self; thrown(() => console.log.call({ get x() { self = this; return 1; } }, '')); return [self]; };
attempts.species = () => { let made; class Own extends Array { static get [Symbol.species]() { return function (...a) { made = a; return []; }; } } new Own(1, 2).map((x) => x); return [made, thrown(() => Buffer.from(new Own(3)))]; };
attempts.promiseSpecies = () => { class Own extends Promise { static get [Symbol.species]() { return function (run) { run((v) => v, (e) => e); }; } } return [thrown(() => Own.resolve(1).then(() => {}))]; };
attempts.thenables = () => [thrown(() => process.emitWarning), Promise.resolve({ then(resolve) { suspects.push(resolve); resolve(1); } })];
attempts.asyncErrors = () => [(async () => { await (0, eval)('imp' + 'ort("none-of-this")'); })().catch((error) => { suspects.push(error); })];
attempts.generators = () => { const f = (function* () {}).constructor; const a = (async function* () {}).constructor; return [f, a, f('yield this')().next().value, (async () => {}).constructor]; };
attempts.inspection = () => { let got = []; const o = { [Symbol.for('nodejs.util.inspect.custom')]: (...a) => { got = a; return ''; } }; thrown(() => require('util').inspect(o)); return [...got, got[1]?.stylize, got[2]]; };
attempts.prototypes = () => [Object.getPrototypeOf(process), Object.getPrototypeOf(Object.getPrototypeOf(process)), Object.getPrototypeOf(console.log)];
attempts.pollution = () => { Object.prototype.shell = '/bin/sh'; Object.prototype.env = { NODE_OPTIONS: '--x' }; const got = [{}.env]; delete Object.prototype.shell; delete Object.prototype.env; return got; };
attempts.symbols = () => [process[Symbol.toStringTag], ...Object.getOwnPropertySymbols(process).map((symbol) => process[symbol])];
attempts.bindings = () => ['fs', 'spawn_sync', 'process_wrap', 'contextify', 'util'].map((name) => thrown(() => process.binding?.(name)));
attempts.bufferMemory = () => { const text = Buffer.allocUnsafeSlow?.(1 << 16)?.toString('latin1') ?? ''; return [text.includes(['canary', 'of', 'the', 'host'].join('-')) ? reaching : null]; };
attempts.sharedMemory = () => { const Shared = own['Shared' + 'ArrayBuffer']; return [Shared ? new Shared(8) : null, own['Ato' + 'mics']]; };
attempts.wasm = () => { const Wasm = own['Web' + 'Assembly']; return Wasm ? [Wasm.Module, thrown(() => new Wasm.Module(new Uint8Array(4))), Wasm.JSTag] : []; };
attempts.timersWithText = () => [thrown(() => setTimeout('suspects.push(process)', 0))];
attempts.evaluators = () => [eval('this'), new Function('return this')(), (0, eval)('this'), thrown(() => require('vm').runInThisContext('this'))];
attempts.contexts = () => [thrown(() => { const made = require('vm').runInNewContext('({})'); return Object.keys(made).length ? made : null; })];
attempts.finalizers = () => ['Finalization' + 'Registry', 'Weak' + 'Ref'].map((name) => own[name] && new own[name](() => {}));
attempts.requireCache = () => [typeof require === 'function' ? require.cache : null, typeof module === 'object' ? module.constructor : null, require.main];
attempts.unicodeNames = () => [thrown(() => eval('__\\u0061ssay')), thrown(() => eval('VM2_INTERN\\u0041L_STATE_DO_NOT_USE_OR_PROGRAM_WILL_FAIL'))];
attempts.arrayMethods = () => { const saved = Array.prototype.push; const seen = []; Array.prototype.push = function (...a) { seen[seen.length] = this; return saved.apply(this, a); }; thrown(() => require('util').format('%s', 1)); Array.prototype.push = saved; return seen; };
attempts.callHooks = () => { const saved = Function.prototype.call; const seen = []; Function.prototype.call = function (...a) { seen.push(this, ...a); return Reflect.apply(this, a[0], a.slice(1)); }; thrown(() => process.stdout.write('')); Function.prototype.call = saved; return seen; };
attempts.structuredClones = () => [thrown(() => structuredClone(new Error('x'))), thrown(() => structuredClone(() => {}))];

const reaching = { constructor: { constructor: () => () => ({}) } };
const suspects = [];
const report = [];
for (const [name, attempt] of Object.entries(attempts)) {
  let found = [];
  try {
    found = attempt.call(own);
  } catch (error) {
    found = [error];
  }
  report.push(`${[...found].some(reaches) ? 'yes' : 'no'} ${name}`);
}
setTimeout(() => {
  report.push(`${suspects.some(reaches) ? 'yes' : 'no'} whatCameLater`);
  console.log(report.join('\n'));
}, 5);
