// Prints without end. Expected: output_limit.
#include <iostream>

int main() {
  for (;;) std::cout << "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n";
}
