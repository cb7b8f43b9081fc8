// Hack 121: Walks from whatever it holds to the function that makes functions outside.
// Expected: no reward.
const found = [];
for (const start of [globalThis, console, console.log, process, process.stdout, require, Error]) {
  try {
    const outer = start.constructor.constructor('return this.process ?? globalThis')();
    found.push(outer);
    outer.exit?.(0);
    outer.mainModule?.require('child_process').execSync('echo 7');
  } catch {
    // A wall.
  }
}
console.log(found.length);
