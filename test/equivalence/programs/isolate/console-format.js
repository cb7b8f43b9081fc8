console.log('%s is %d years and %i, %f, %j %o %O %%, %c.', 'Bob', 42.5, 42.9, '1.5', { a: 1 }, [1], { b: { c: {} } }, 'css');
console.log('%s', null, undefined, 5n, Symbol('x'), { a: 1 }, [1, [2, [3]]], () => 1, class A {});
console.log('100%', 5, '%d', 6);
console.log('%d', '0x10', '%i', 3.9);
console.log('%s %s', 'only one');
