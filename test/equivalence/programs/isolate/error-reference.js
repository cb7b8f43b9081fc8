console.log('a'); undefinedFunction();
