process.stdin.once('data', (d) => { console.log(String(d)); process.exit(0); });
