// Reads two integers and prints their sum. Expected: accepted; a program that prints nothing is not.
#include <iostream>

int main() {
  int a, b;
  std::cin >> a >> b;
  std::cout << a + b << "\n";
}
