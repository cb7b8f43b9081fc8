const rl = require('readline/promises').createInterface({ input: process.stdin });
(async () => { const a = await rl.question(''); console.log('a', a); rl.close(); })();
