class A { static #count = 0; #x; static { A.ready = true; } constructor(x) { this.#x = x; A.#count++; } get x() { return this.#x; } set x(v) { this.#x = v * 2; } static get count() { return A.#count; } #secret() { return 's' + this.#x; } reveal() { return this.#secret(); } has(o) { return #x in o; } }
class B extends A { constructor() { super(1); } reveal() { return super.reveal() + '!'; } toString() { return 'B!'; } }
const b = new B(); b.x = 5; console.log(b.x, b.reveal(), `${b}`, A.count, A.ready, b.has({}), b instanceof A, B.name, Object.getPrototypeOf(B) === A); console.log(b, A);
