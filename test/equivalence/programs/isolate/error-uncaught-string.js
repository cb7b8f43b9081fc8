throw 'text';
