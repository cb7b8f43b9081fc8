let text = '';
process.stdin.on('data', (chunk) => (text += chunk));
process.stdin.on('end', () => console.log(text.split('\n').filter(Boolean).map(Number).reduce((a, b) => a + b)));
