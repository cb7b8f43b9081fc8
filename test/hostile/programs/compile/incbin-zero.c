// How: the assembler is told to embed a file without end.
// Expected: compile_error by the compile step's own limits.
__asm__(".incbin \"/dev/zero\"\n");
int main(void) { return 0; }
