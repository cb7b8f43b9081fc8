try { require('fs').readFileSync('no-such.txt'); } catch (e) { console.log(e.code, e.message); }
