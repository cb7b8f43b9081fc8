console.log(require('fs').readFileSync('/dev/stdin', 'utf-8').trim().split(' ').reverse().join(','));
