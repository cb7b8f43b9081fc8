// Hack 105: Includes a file that never ends.
// Expected: no reward.
#include "/dev/zero"
int main(void) { return 0; }
