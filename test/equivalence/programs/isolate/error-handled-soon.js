const p = Promise.reject(new Error('soon')); Promise.resolve().then(() => p.catch((e) => console.log('caught', e.message)));
