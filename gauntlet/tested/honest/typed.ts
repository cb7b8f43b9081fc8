// Honest: enums, generics, namespaces and parameter properties.
// Expected: accepted.
enum Kind { Sum = 'sum', Product = 'product' }
namespace Check {
  export function number(value: unknown): asserts value is number {
    if (typeof value !== 'number') throw new TypeError('not a number');
  }
}
export function add(x: number, y: number): number {
  Check.number(x);
  Check.number(y);
  return x + y;
}
export const pair = (x: number, y: number): Record<Kind, number> => ({ [Kind.Sum]: add(x, y), [Kind.Product]: x * y });
export const total = <T extends readonly number[]>(numbers: T): number => numbers.reduce((x, y) => add(x, y), 0);
export async function later(x: number, y: number): Promise<number> {
  return add(x, y);
}
export class Tally {
  constructor(private readonly numbers: number[] = []) {}
  note(n: number): void { this.numbers.push(n); }
  get sum(): number { return total(this.numbers); }
  all(): readonly number[] { return this.numbers; }
}
