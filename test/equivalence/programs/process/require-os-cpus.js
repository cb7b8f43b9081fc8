console.log(typeof require('os').cpus().length, require('os').platform());
