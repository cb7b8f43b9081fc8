const { execSync } = require('child_process'); try { console.log(execSync('echo hi').toString()); } catch (e) { console.log('failed'); }
