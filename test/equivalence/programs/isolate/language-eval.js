var x = 1; console.log(eval('x + 1'), (0, eval)('typeof x'), new Function('a', 'b', 'return a * b')(6, 7), typeof eval('(function(){})')); try { eval('{'); } catch (e) { console.log(e.name); }
