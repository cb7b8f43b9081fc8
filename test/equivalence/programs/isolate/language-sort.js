console.log([10, 9, 1, 100].sort(), [3, 1, 2].sort((a, b) => b - a), ['b', 'a', 'C'].sort(), ['é', 'z', 'a'].sort((a, b) => a.localeCompare(b)), [5, undefined, 1, , 3].sort(), [1, 2, 3].toSorted((a, b) => b - a), [1, 2, 3].toReversed(), [3, 1].with(0, 9));
console.log(Array.from({ length: 30 }, (_, i) => ({ k: i % 3, i })).sort((a, b) => a.k - b.k).map((x) => x.i).join());
