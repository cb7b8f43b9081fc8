let n = 0; const t = setTimeout(() => { console.log('t', ++n); if (n < 3) t.refresh(); }, 3); const i = setInterval(function () { console.log('i'); this.close(); }, 4);
