// A type error. Expected: compile_error.
#include <string>

int main() {
  std::string never = 1.5;
  return never;
}
