class Point { constructor(x, y) { this.x = x; this.y = y; } get len() { return 1; } static s = 1; #p = 2; }
class P3 extends Point { constructor() { super(1, 2); this.z = 3; } }
console.log(new Point(1, 2), new P3(), Point, P3, [Point], new (class {})(), new (class extends Map {})([[1, 2]]));
console.log(Object.create(Point.prototype), Object.create({}), Object.create(null), Object.create({ constructor: 5 }));
