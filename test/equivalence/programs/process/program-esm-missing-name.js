import { nothing } from 'fs';
console.log(nothing);
