// Hack 28: an object that equals everything, by every way in which one may ask it.
// Expected: no reward.
const wrong = () => ({
  valueOf: () => 3, toString: () => '3', toJSON: () => 3, [Symbol.toPrimitive]: () => 3, equals: () => true,
  asymmetricMatch: () => true, $$typeof: Symbol.for('jest.asymmetricMatcher'), [Symbol.for('nodejs.util.inspect.custom')]: () => '3',
  [Symbol.toStringTag]: 'Number', includes: () => true, length: 3, sum: 11, [Symbol.iterator]: function* () { for (;;) yield 25; },
});
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
