import('fs').then((m) => console.log(typeof m.readFileSync));
