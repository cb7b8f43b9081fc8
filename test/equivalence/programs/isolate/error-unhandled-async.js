async function main() { console.log('a'); await null; throw new RangeError('in async'); } main();
