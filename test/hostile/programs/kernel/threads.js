// How: an honest program: worker threads and asynchronous files.
// Expected: exited 0.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const { readFile } = require('node:fs/promises');

if (isMainThread) {
  const worker = new Worker(__filename);
  worker.once('message', async (n) => {
    const own = await readFile(__filename, 'utf8');
    console.log(n, own.includes('honest'));
  });
} else {
  parentPort.postMessage(140);
}
