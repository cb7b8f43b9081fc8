// Honest: Has types.
// Expected: accepted.
import { readFileSync } from 'node:fs';

type Pair = readonly [bigint, bigint];
const [, ...lines]: string[] = readFileSync(0, 'utf8').trim().split('\n');
for (const line of lines) {
  const [a, b] = line.split(' ').map(BigInt) as unknown as Pair;
  console.log(`${a + b}`);
}
