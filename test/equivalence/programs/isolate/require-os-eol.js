const os = require('os'); console.log(['a', 'b'].join(os.EOL));
