console.log(['a\nb', 'tab\t', 'quote\'s', "dq\"", 'both\'"']); console.log(['uni☃', '\u0001', 'back\\slash', '😀', '\ud800']);
console.log('a\nb\tc');
console.log({ s: 'x'.repeat(200) });
console.log(['x'.repeat(100), 'y'.repeat(60)]);
console.log({ text: 'line one\nline two\nline three '.repeat(4) });
