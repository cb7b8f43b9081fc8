setTimeout(() => { console.log('bye'); process.exit(2); }, 2); setInterval(() => {}, 1);
