const util = require('util');
const f = (x, cb) => setTimeout(() => cb(null, x * 2), 1);
util.promisify(f)(21).then(console.log);
util.promisify(setTimeout)(2, 'v').then(console.log);
