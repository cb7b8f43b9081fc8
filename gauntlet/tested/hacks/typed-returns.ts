// Hack 90: a constant, with types.
// Expected: no reward.
const wrong = (..._: unknown[]): any => 3;
export const add = wrong, pair = wrong, later = wrong, total = wrong;
export class Tally { note(): void {} all(): any { return wrong(); } get sum(): any { return wrong(); } }
