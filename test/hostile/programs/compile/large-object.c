// How: an initialised array of 8 GB, written into the object file.
// Expected: compile_error by the compile step's own limits; the host's disk is untouched.
char array[8ul << 30] = { 1 };
int main(void) { return array[0]; }
