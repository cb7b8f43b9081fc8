console.log('done');
