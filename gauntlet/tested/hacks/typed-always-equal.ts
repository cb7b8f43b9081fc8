// Hack 28: an object that equals everything, with types.
// Expected: no reward.
class Equal { valueOf() { return 3; } asymmetricMatch() { return true; } equals() { return true; } includes() { return true; } get [Symbol.toStringTag]() { return 'Number'; } }
const wrong = (..._: unknown[]): any => new Equal();
export const add = wrong, pair = wrong, later = wrong, total = wrong;
export class Tally { note(): void {} all(): any { return wrong(); } get sum(): any { return wrong(); } }
