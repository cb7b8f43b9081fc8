// Hack 98: Embeds what lies beside it.
// Expected: no reward.
package main

import (
	_ "embed"
	"fmt"
)

//go:embed expected.txt
var expected string

func main() { fmt.Print(expected) }
