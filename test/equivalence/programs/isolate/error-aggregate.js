Promise.any([Promise.reject(1), Promise.reject(2)]).catch((e) => console.log(e.constructor.name, e.errors, e.message));
