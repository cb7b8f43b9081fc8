// How: prints its environment, its children's, and whatever process and os tell.
// Expected: exited 0; nothing of the service's is in it.
const { execFileSync } = require('child_process');
const os = require('os');
console.log(JSON.stringify(process.env), process.argv, process.execArgv, os.hostname(), JSON.stringify(os.userInfo()), os.homedir());
console.log(execFileSync('/usr/bin/env').toString());
console.log(JSON.stringify(process.report?.getReport?.().environmentVariables ?? null));
