// Does not compile: a package that nobody uses.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Println(-1)
}
