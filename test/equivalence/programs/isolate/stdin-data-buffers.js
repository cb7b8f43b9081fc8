process.stdin.on('data', (chunk) => console.log(Buffer.isBuffer(chunk), chunk.length, chunk));
process.stdin.on('end', () => console.log('end'));
