process.exit(-1);
