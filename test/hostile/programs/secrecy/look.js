// How: looks for what leave.js changed.
// Expected: exited 0; every line but the last ends with "nothing".
const tell = (name, seen) => console.log(name, seen ? 'SEEN' : 'nothing');
tell('globals', 'sign' in globalThis && Object.hasOwn(globalThis, 'sign'));
tell('prototypes', {}.sign !== undefined || [1, 2].join() !== '1,2');
tell('builtins', JSON.stringify(1) !== '1');
tell('environment', process.env.SIGN !== undefined);
tell('module_state', Object.hasOwn(require('path'), 'sign'));
tell('listeners', process.listenerCount('exit') > 0);
console.log('random', Math.random());
