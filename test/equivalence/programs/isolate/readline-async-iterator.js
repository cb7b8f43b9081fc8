const readline = require('readline');
(async () => {
  const rl = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const line of rl) console.log(JSON.stringify(line));
  console.log('done');
})();
