const rl = require('readline').createInterface({ input: process.stdin, output: process.stdout });
rl.question('name? ', (name) => {
  rl.question('age? ', (age) => {
    console.log(`\n${name} is ${age}`);
    rl.close();
  });
});
