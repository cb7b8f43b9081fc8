// A variable that nobody uses. Expected: compile_error.
package main

func main() {
	unused := 1
}
