console.log(Array.from({ length: 120 }, (_, i) => i));
console.log(Array.from({ length: 27 }, (_, i) => 'word' + i * 7));
console.log([1.5, 22.25, 333, -4, 5, 6, 7, 8, 9, 10]);
console.log(Array.from({ length: 7 }, (_, i) => ({ i })));
