// How: prints for ever. Expected: output_limit.
for (;;) console.log('y'.repeat(1000));
