// A type error. Expected: compile_error.
int main(void) {
  int *never = "text" + 1.5;
  return never;
}
