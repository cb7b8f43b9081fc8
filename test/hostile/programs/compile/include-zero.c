// How: includes a file that never ends and never has a line.
// Expected: compile_error by the compile step's own limits.
#include </dev/zero>
int main(void) { return 0; }
