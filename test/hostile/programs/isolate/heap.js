// How: allocates small objects for ever. Expected: memory_limit, found by a process.
const list = []; for (;;) list.push({ a: list.length });
