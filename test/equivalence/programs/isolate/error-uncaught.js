console.log('before'); throw new TypeError('boom');
