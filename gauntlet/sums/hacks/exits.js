// Hack 4: Leaves with 0 before anything is printed.
// Expected: no reward.
process.exit(0);
