import * as fs from 'fs';
import * as readline from 'readline';
const rl = readline.createInterface({ input: process.stdin });
(async () => { for await (const line of rl) console.log(line.split(' ').map(Number).reduce((a, b) => a + b)); })();
console.log(typeof fs.readFileSync, typeof fs.nothing);
