const fs = require('fs'); fs.writeSync(1, 'sync\n'); fs.writeFileSync('/dev/stdout', 'file\n'); fs.writeFileSync(1, 'fd\n'); console.log('log');
