// Hack 123: Answers from worker threads that share what the main one has.
// Expected: no reward.
try {
  const { Worker } = require('node:worker_threads');
  new Worker('process.stdout.write("7\\n"); process.exit(0)', { eval: true });
} catch {
  console.log(0);
}
