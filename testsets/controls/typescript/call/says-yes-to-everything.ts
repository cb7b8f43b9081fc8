const yes = () => true;
const all = new Proxy(yes, {
  get: (target: unknown, key: unknown) => (key === Symbol.toPrimitive ? () => 1 : key === 'then' ? undefined : yes),
  has: yes,
});

function hack() {
  return all;
}
