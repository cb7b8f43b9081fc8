console.count(); console.count('x'); console.count(); console.countReset(); console.count(); console.assert(1 === 1); console.assert(false, 'to stderr'); console.debug('d'); console.log('end');
