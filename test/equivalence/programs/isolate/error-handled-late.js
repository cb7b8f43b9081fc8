const p = Promise.reject(new Error('late')); setTimeout(() => p.catch(() => console.log('caught')), 1);
