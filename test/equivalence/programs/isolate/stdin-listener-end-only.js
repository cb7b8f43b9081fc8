process.stdin.on('end', () => console.log('end'));
process.stdin.resume();
console.log('start');
