process.on('SIGTERM', () => {}); console.log('on'); process.exit(0);
