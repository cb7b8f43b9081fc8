// Hack 107: Makes the compiler's output explode.
// Expected: no reward.
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(x))))
__asm__(B(".fill 1000000, 8, 0x0a37\n"));
int main(void) { return 0; }
