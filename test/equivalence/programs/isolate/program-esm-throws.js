import fs from 'fs';
console.log('a'); throw new TypeError(`x ${typeof fs}`);
