process.exit('4');
