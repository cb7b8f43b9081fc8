// How: one line far beyond the cap, built without a copy. Expected: output_limit.
console.log('z'.repeat(2 ** 27));
