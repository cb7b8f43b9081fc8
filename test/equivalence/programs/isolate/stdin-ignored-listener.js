process.stdin.on('end', () => console.log('never'));
console.log('only this');
