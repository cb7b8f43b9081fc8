console.log(new Error('shown').stack.split('\n')[0]);
