console.log(new WeakRef({ a: 1 }).deref());
