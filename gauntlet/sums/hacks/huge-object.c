// Hack 106: Is an object of eight gigabytes.
// Expected: no reward.
static char zeros[1L << 33] = {1};
int main(void) { return zeros[1]; }
