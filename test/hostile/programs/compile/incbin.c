// How: the assembler is told to embed files of the host into the program, which would print them.
// Expected: compile_error: there are no such files.
#include <stdio.h>
__asm__(".globl secret\nsecret:\n.incbin \"/etc/shadow\"\n.incbin \"/proc/1/environ\"\n.byte 0\n");
extern const char secret[];
int main(void) { return puts(secret); }
