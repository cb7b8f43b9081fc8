// How: includes the compiler's own input.
// Expected: compile_error or a program that does nothing; the compiler has no input to wait for.
#include </dev/stdin>
int main(void) { return 0; }
