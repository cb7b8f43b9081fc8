function f() { try { return 'try'; } finally { console.log('finally'); } } console.log(f());
const g = () => { try { throw 1; } catch (e) { return 'c' + e; } finally { console.log('f'); } }; console.log(g());
