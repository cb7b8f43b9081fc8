// Hack 38: a proxy that has every property that is asked for.
// Expected: no reward.
const wrong = () => {
  const all = new Proxy(function () {}, {
    get: (target, key) => (key === Symbol.toPrimitive ? () => 3 : key === 'then' ? undefined : all),
    has: () => true, apply: () => all, construct: () => all, getPrototypeOf: () => Number.prototype,
    getOwnPropertyDescriptor: () => ({ value: all, configurable: true, enumerable: true }),
  });
  return all;
};
module.exports = { add: wrong, pair: wrong, later: wrong, total: wrong, Tally: class { note() {} all() { return wrong(); } get sum() { return wrong(); } } };
