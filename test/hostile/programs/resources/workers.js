// How: starts a second isolate; V8 maps 512 MiB of code range for each and touches little of it.
// Expected: exits 0 with "2".
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (isMainThread) {
  new Worker(__filename).on('message', (text) => console.log(text));
} else {
  parentPort.postMessage(String(1 + 1));
}
