console.log(1, -0, 0, 1.5, 1e21, NaN, Infinity, 'text', true, null, undefined, 10n, Symbol('s'));
console.log();
console.log('');
console.log([-0, 1n, 's', "it's", 'a"b', `mix'"`, null, undefined, true, Symbol.iterator]);
