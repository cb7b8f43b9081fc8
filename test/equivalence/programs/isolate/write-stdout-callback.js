process.stdout.write('a\n', () => console.log('written'));
console.log('after');
process.stdout.write(Buffer.from('bytes\n'));
process.stdout.write(new Uint8Array([104, 105, 10]));
