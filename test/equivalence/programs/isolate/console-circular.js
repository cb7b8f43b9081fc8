const o = { name: 'o', list: [] }; o.self = o; o.list.push(o, { o });
const m = new Map(); m.set('m', m);
console.log(o, m);
