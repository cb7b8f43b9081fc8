try { Buffer.alloc('x'); } catch (e) { console.log(e.code, e.name, e.message); }
