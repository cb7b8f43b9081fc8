// Reads two integers and prints their sum, with syntax that needs more than stripped types. Expected: accepted; a
// program that prints nothing is not.
import { readFileSync } from 'node:fs';

enum Place {
  First,
  Second,
}
namespace Sum {
  export const of = (values: number[]): number => values[Place.First] + values[Place.Second];
}

const values: number[] = readFileSync(0, 'utf8').split(' ').map(Number);
console.log(Sum.of(values));
