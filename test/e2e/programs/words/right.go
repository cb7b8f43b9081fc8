package main

import (
	"bufio"
	"fmt"
	"os"
)

func reversed(word string) string {
	runes := []rune(word)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

func solve(words []string) ([]int, bool) {
	kinds := map[string][]int{}
	there := map[string]bool{}
	for i, word := range words {
		kind := word[:1] + word[len(word)-1:]
		kinds[kind] = append(kinds[kind], i)
		there[word] = true
	}
	more, less := kinds["01"], kinds["10"]
	if len(more) < len(less) {
		more, less = less, more
	}
	if len(more) == 0 {
		return nil, len(kinds) < 2
	}
	need := (len(more) - len(less)) / 2
	var can []int
	for _, i := range more {
		if len(can) < need && !there[reversed(words[i])] {
			can = append(can, i+1)
		}
	}
	return can, len(can) == need
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var t, n int
	for fmt.Fscan(in, &t); t > 0; t-- {
		fmt.Fscan(in, &n)
		words := make([]string, n)
		for i := range words {
			fmt.Fscan(in, &words[i])
		}
		answer, ok := solve(words)
		if !ok {
			fmt.Println(-1)
			continue
		}
		fmt.Println(len(answer))
		for _, i := range answer {
			fmt.Print(i, " ")
		}
		fmt.Println()
	}
}
