// How: the assembler is told to assemble files of the host, whose lines it would quote as errors.
// Expected: compile_error; no line of any such file in the messages.
__asm__(".include \"/etc/shadow\"\n.include \"/etc/passwd\"\n.include \"/proc/1/environ\"\n.include \"/proc/1/cmdline\"\n");
int main(void) { return 0; }
