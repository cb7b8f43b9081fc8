console.log(Promise.resolve(5), Promise.reject(1).catch(() => {}), new Promise(() => {}));
