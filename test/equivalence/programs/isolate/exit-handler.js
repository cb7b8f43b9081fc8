process.on('exit', (code) => console.log('exit', code, process.exitCode)); process.on('beforeExit', (c) => console.log('before', c)); console.log('main');
