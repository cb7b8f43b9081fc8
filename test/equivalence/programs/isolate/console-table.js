console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]);
console.table([[1, 2], [3, 4]]);
console.table(new Map([['k', 1]]));
console.table('plain');
console.table([{ name: 'ab', v: 1 }], ['name']);
