namespace N { export const v = 5; export function f() { return v * 2; } } console.log(N.f(), N);
