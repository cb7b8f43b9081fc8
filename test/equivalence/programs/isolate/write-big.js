console.log('0123456789'.repeat(50000));
