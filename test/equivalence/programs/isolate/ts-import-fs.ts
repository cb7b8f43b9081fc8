import { readFileSync } from 'fs';
import type { Stats } from 'fs';
const nums: number[] = readFileSync(0, 'utf-8').trim().split(/\s+/).map(Number);
console.log(nums.reduce((a: number, b: number): number => a + b, 0));
export type X = Stats;
