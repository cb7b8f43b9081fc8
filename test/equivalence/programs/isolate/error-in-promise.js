Promise.resolve().then(() => { throw new Error('async'); }); setTimeout(() => console.log('never'), 5);
