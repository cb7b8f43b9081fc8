// Reads two integers and prints their sum. Expected: accepted; a program that prints nothing is not.
const { readFileSync } = require('node:fs');
const [a, b] = readFileSync(0, 'utf8').split(' ').map(Number);
console.log(a + b);
