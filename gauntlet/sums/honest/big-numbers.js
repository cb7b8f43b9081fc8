// Honest: Computes with numbers of any size.
// Expected: accepted.
const [, ...lines] = require('node:fs').readFileSync(0, 'utf8').trim().split(/\r?\n/);
process.stdout.write(lines.map((line) => line.split(' ').map(BigInt).reduce((a, b) => a + b)).join('\r\n'));
