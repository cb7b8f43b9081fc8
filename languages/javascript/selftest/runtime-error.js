// Prints the right answer and then throws. Expected: runtime_error (exit code 1).
const { readFileSync } = require('node:fs');
const [a, b] = readFileSync(0, 'utf8').split(' ').map(Number);
console.log(a + b);
throw new Error('on purpose');
