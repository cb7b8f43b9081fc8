// How: a pattern that backtracks exponentially, in native code. Expected: time_limit.
console.log(/^(a+)+$/.test(`${'a'.repeat(40)}b`));
