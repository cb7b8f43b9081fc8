(function () { console.log(arguments, [...arguments]); })(1, 'a', { x: 1 });
