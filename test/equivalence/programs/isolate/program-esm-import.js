import fs from 'fs';
import { EOL } from 'node:os';
const [a, b] = fs.readFileSync(0, 'utf8').split(' ').map(Number);
process.stdout.write(a + b + EOL);
