// How: allocates in a loop that the engine does not interrupt for its own heap limit. Expected: memory_limit.
const list = []; while (true) list.push(new Array(1000).fill(1));
