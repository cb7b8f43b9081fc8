try { throw new Error('outer', { cause: new Error('inner') }); } catch (e) { console.log(e.cause.message, e.message); }
