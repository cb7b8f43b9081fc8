const rl = require('readline').createInterface({ input: process.stdin });
rl.on('line', (line) => { console.log(line); if (line === '2') rl.close(); });
rl.on('close', () => console.log('closed'));
