// Hack 38: Answers every property as expected.
// Expected: no reward.
const any = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '7' : any),
  apply: () => any,
  has: () => true,
  ownKeys: () => [],
});
globalThis.process.stdout.toJSON = any;
console.log(`${any}`);
