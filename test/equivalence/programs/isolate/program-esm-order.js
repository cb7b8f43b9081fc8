import { setTimeout as later } from 'timers';
import process, { nextTick } from 'node:process';
console.log(typeof require, typeof module, this, typeof process.argv);
nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('micro'));
later(() => console.log('timer'), 1);
export const value = 5;
export function f() { return value; }
console.log(f(), (function () { return this; })());
