process.stdin.setEncoding('utf8');
process.stdin.on('readable', () => {
  let chunk;
  while ((chunk = process.stdin.read()) !== null) console.log('got', chunk);
});
process.stdin.on('end', () => console.log('end'));
