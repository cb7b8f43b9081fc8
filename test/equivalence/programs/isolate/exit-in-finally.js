try { try { process.exit(5); } finally { console.log('finally'); } } catch { console.log('catch'); }
