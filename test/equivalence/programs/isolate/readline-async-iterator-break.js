(async () => {
  const rl = require('readline').createInterface({ input: process.stdin });
  const it = rl[Symbol.asyncIterator]();
  console.log((await it.next()).value, (await it.next()).value);
  rl.close();
})();
