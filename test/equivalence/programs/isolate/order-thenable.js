const t = { then(r) { console.log('then called'); r('v'); } }; (async () => console.log(await t))(); Promise.resolve(t).then(console.log); console.log('sync');
