const sleep = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
(async () => { console.log(await Promise.all([sleep(6, 'a'), sleep(2, 'b')]), await Promise.race([sleep(5, 'x'), sleep(1, 'y')]), await Promise.allSettled([sleep(1, 1), Promise.reject(2)])); })();
