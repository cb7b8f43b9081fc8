console.log('never');
function f( { }
