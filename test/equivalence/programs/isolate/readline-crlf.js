const rl = require('readline').createInterface({ input: process.stdin });
rl.on('line', (line) => console.log(JSON.stringify(line)));
