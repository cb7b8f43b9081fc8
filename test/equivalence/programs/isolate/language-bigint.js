console.log(2n ** 100n, -5n / 2n, BigInt.asUintN(8, 257n), 10n > 9, typeof 1n, BigInt('0xff'), (123n).toString(36), 5n % -3n, [1n, 2n].includes(2n), 0n === -0n);
let f = 1n; for (let i = 1n; i <= 50n; i++) f *= i; console.log(f, f.toString().length);
