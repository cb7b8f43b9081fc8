console.log(typeof fetch, typeof AbortController, typeof crypto.randomUUID);
