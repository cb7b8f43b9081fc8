const fs = require('fs'); fs.writeFileSync('/tmp/x.txt', 'data'); console.log(fs.readFileSync('/tmp/x.txt', 'utf8'), fs.existsSync('/tmp/x.txt'));
