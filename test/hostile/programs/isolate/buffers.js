// How: memory outside of the heap. Expected: memory_limit.
const list = []; for (;;) list.push(new Uint8Array(1e7).fill(1));
