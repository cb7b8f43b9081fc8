class MyError extends Error { constructor(m) { super(m); this.name = 'MyError'; this.extra = 1; } }
try { throw new MyError('m'); } catch (e) { console.log(e.name, e.message, e instanceof MyError, `${e}`, e.extra, Object.keys(e)); }
