console.log(new Map([[1, 2]]).keys(), new Set([3]).values());
