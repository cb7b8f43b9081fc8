export const check = (n) => { if (typeof n !== 'number') throw new TypeError('not a number'); return n; };
export const add = (x, y) => check(x) + check(y);
