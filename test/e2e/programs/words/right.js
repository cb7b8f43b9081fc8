const data = require('node:fs').readFileSync(0, 'utf8').trim().split(/\s+/);
let at = 1;
for (let t = Number(data[0]); t > 0; t -= 1) {
  const n = Number(data[at]);
  const words = data.slice(at + 1, at + 1 + n);
  at += 1 + n;
  const there = new Set(words);
  const kinds = { '01': [], 10: [], '00': [], 11: [] };
  words.forEach((word, i) => kinds[word[0] + word.at(-1)].push(i));
  const [more, less] = [kinds['01'], kinds['10']].sort((a, b) => b.length - a.length);
  if (more.length === 0 && kinds['00'].length > 0 && kinds['11'].length > 0) {
    console.log('-1');
    continue;
  }
  const need = Math.floor((more.length - less.length) / 2);
  const can = more.filter((i) => !there.has([...words[i]].reverse().join('')));
  console.log(
    can.length < need
      ? '-1'
      : `${need}\n${can
          .slice(0, need)
          .map((i) => i + 1)
          .join(' ')}`,
  );
}
