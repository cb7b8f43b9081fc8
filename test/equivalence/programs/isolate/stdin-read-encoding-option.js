console.log(require('node:fs').readFileSync(0, { encoding: 'utf8' }).split(' '));
