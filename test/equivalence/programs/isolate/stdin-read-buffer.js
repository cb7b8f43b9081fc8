const data = require('fs').readFileSync(0);
console.log(data.length, data.toString().trim(), data[1]);
