process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => console.log(typeof chunk, chunk.length));
process.stdin.on('end', () => console.log('end')).on('close', () => console.log('close'));
