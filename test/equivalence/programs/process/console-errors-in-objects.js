try { null.x; } catch (e) { console.log(e.name, e.message, e instanceof TypeError, String(e)); }
console.log({ e: new RangeError('inside') });
