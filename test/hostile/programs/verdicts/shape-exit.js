// How: leaves from within an event handler, before asynchronous output is written.
// Expected: wrong_answer.
process.on('beforeExit', () => console.log('42'));
process.exit(0);
