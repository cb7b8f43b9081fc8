// Prints without end.
for (;;) require('node:fs').writeSync(1, '1 2 3 '.repeat(10_000));
