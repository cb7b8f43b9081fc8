// Honest: Reads line after line, and prints at the end.
// Expected: accepted.
const sums = [];
require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => sums.push(line.split(' ').map(BigInt).reduce((a, b) => a + b)))
  .on('close', () => setTimeout(() => console.log(sums.slice(1).join('\n')), 1));
