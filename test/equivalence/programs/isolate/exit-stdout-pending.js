for (let i = 0; i < 1000; i++) process.stdout.write(`${i}\n`); process.exit();
