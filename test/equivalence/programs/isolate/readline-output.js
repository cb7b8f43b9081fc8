const rl = require('readline').createInterface({ input: process.stdin, output: process.stdout, terminal: false });
rl.on('line', (line) => console.log(Number(line) * 2));
