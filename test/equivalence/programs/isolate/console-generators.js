function* g() { yield 1; yield 2; }
console.log(g(), [...g()], Object.prototype.toString.call(g()), [1, 2].entries().toString());
