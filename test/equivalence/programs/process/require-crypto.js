console.log(require('crypto').createHash('sha256').update('a').digest('hex'));
