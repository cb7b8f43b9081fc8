process.stdin.on('data', (d) => console.log(String(d)));
process.stdin.pause();
setTimeout(() => { console.log('resume'); process.stdin.resume(); }, 5);
