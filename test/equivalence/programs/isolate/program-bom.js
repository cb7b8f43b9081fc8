console.log('bom');
