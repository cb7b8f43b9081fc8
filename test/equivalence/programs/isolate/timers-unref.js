setTimeout(() => console.log('never'), 50).unref(); const t = setTimeout(() => console.log('yes'), 2); console.log(t.hasRef(), typeof t[Symbol.toPrimitive](), t.constructor.name);
