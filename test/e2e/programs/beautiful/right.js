const lines = require('node:fs').readFileSync(0, 'utf8').trim().split('\n');
for (let t = 0; t < Number(lines[0]); t += 1) {
  const p = lines[2 * t + 2].trim().split(' ').map(Number);
  const position = new Map(p.map((value, i) => [value, i]));
  let [left, right, answer] = [p.length, -1, ''];
  for (let m = 1; m <= p.length; m += 1) {
    left = Math.min(left, position.get(m));
    right = Math.max(right, position.get(m));
    answer += right - left + 1 === m ? '1' : '0';
  }
  console.log(answer);
}
