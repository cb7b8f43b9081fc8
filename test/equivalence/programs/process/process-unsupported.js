console.log(typeof process.getuid(), typeof process.cpuUsage().user);
