// Hack 95: Takes the answer into the program, if the compiler can find it.
// Expected: no reward.
#include <cstdio>
asm(".section .rodata\n.global secret\nsecret: .incbin \"/work/expected\"\n");
extern char secret[];
int main() { std::puts(secret); }
