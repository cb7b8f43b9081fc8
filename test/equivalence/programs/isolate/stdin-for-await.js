(async () => {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  console.log(text.split('\n'));
})();
