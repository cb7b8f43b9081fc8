process.on('exit', () => { process.exitCode = 9; });
