const log = console.log;
async function a() { log('a1'); await b(); log('a2'); } async function b() { log('b1'); await null; log('b2'); }
a().then(() => log('done')); Promise.resolve().then(() => log('p1')).then(() => log('p2')).then(() => log('p3')); log('main');
