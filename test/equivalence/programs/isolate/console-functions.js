function named() {} async function an() {} function* gen() {} async function* ag() {}
named.prop = 1;
console.log(named, an, gen, ag, () => {}, class {}, class B extends named {}, [named], { named, m() {}, get g() { return 1; }, set g(v) {}, set s(v) {} });
