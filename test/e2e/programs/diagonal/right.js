const [, ...lines] = require('node:fs').readFileSync(0, 'utf8').trim().split('\n');
for (const line of lines) {
  const [n, m, k] = line.split(' ').map(BigInt);
  if (n > k || m > k) console.log('-1');
  else if ((n + m) % 2n !== 0n) console.log(String(k - 1n));
  else console.log(String((k - n) % 2n === 0n ? k : k - 2n));
}
