// Hack 38: a proxy that has every property, with types.
// Expected: no reward.
const all: any = new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => 3 : all), has: () => true, apply: () => all });
const wrong = (..._: unknown[]): any => all;
export const add = wrong, pair = wrong, later = wrong, total = wrong;
export class Tally { note(): void {} all(): any { return wrong(); } get sum(): any { return wrong(); } }
