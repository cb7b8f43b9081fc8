// How: includes a file that never ends.
// Expected: compile_error by the compile step's own limits.
#include </dev/random>
int main(void) { return 0; }
