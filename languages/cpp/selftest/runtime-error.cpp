// Prints the right answer and then lets an exception escape. Expected: runtime_error (signal 6).
#include <iostream>
#include <stdexcept>

int main() {
  int a, b;
  std::cin >> a >> b;
  std::cout << a + b << std::endl;
  throw std::runtime_error("on purpose");
}
