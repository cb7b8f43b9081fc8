process.stdout.write('no newline');
process.stdout.write(' then\n');
console.log(process.stdout.write('x\n'), process.stdout.isTTY, process.stdout.fd, process.stdout.columns);
