const util = require('util');
class Money { constructor(v) { this.v = v; } [util.inspect.custom](depth, options) { return `Money<${this.v}> ${depth} ${typeof options.stylize}`; } }
console.log(new Money(5), [new Money(6)], `${new Money(1)}`);
console.log({ toString() { return 'ts'; }, [Symbol.toStringTag]: 'Tagged' }, { inspect() { return 'old'; } });
