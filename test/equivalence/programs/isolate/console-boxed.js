console.log(new Number(1), new String('abc'), new Boolean(false), Object(1n), Object(Symbol('b')), [new Number(-0)]);
