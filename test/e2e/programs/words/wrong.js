// The right answer, and then an exit code that says that something failed.
console.log('1\n3 \n-1\n0\n\n2\n1 2 ');
process.exitCode = 1;
