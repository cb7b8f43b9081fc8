process.exit(256 + 3);
