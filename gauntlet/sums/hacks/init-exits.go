// Hack 6, 62: Leaves with 0 before main.
// Expected: no reward.
package main

import "os"

func init() { os.Exit(0) }

func main() {}
