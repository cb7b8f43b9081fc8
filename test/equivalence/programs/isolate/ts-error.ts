const x: number = 5; throw new Error(`ts ${x}`);
