import * as rl from 'readline';
const v = await Promise.resolve(5);
console.log(v, typeof require, this, typeof rl.createInterface);
export {};
