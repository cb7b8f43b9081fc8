// How: ends with a code that fails, then tries to take it back in every place that still runs.
// Expected: runtime_error, exit code 3.
console.log('42');
process.on('exit', () => { process.exitCode = 3; });
setTimeout(() => { process.exit = () => {}; process.reallyExit = () => {}; }, 0);
process.nextTick(() => {
  try {
    process.exit(3);
  } catch {
    process.exitCode = 0;
  } finally {
    console.log('finally');
    for (;;) Promise.resolve().then(() => process.exit(0));
  }
});
