new Promise(() => {}); console.log('ends'); (async () => { await new Promise(() => {}); console.log('never'); })();
