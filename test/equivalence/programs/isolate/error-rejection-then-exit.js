Promise.reject(new Error('x')); console.log('a'); process.exit(0);
