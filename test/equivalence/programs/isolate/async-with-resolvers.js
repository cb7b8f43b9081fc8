const { promise, resolve } = Promise.withResolvers(); promise.then(console.log); setTimeout(resolve, 1, 'ok'); Promise.try(() => 5).then(console.log);
