console.error('err'); process.stderr.write('raw\n'); console.warn('w'); console.log('out');
