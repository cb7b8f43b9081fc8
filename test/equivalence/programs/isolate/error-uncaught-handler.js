process.on('uncaughtException', (e, origin) => { console.log('handled', e.message, origin); }); setTimeout(() => console.log('goes on'), 1); throw new Error('u');
