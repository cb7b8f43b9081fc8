const p = new Proxy({ a: 1 }, { get: (t, k) => (k in t ? t[k] * 2 : undefined) });
console.log(p, p.a, Object.keys(p), JSON.stringify(p), new Proxy([1, 2], {}), new Proxy(function f() {}, {}));
const { proxy } = Proxy.revocable({ b: 1 }, {}); console.log(proxy, typeof Proxy, Proxy.length, Proxy.name);
