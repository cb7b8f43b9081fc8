// Keeps 4 MiB blocks of written memory, outside of V8's heap, until the limit. Expected: memory_limit.
const blocks: Buffer[] = [];
for (;;) blocks.push(Buffer.alloc(4 << 20, 1));
