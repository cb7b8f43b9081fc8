const a = [1, , 3]; a[10] = 5; a.extra = 'yes'; a[-1] = 'neg';
console.log(a, [, ], [undefined, , null], new Array(3));
