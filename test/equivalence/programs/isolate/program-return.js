console.log('a'); if (true) return; console.log('never');
