package main

import "fmt"

type query struct{ n, m, k int64 }

func (q query) answer() int64 {
	switch {
	case max(q.n, q.m) > q.k:
		return -1
	case (q.n+q.m)%2 != 0:
		return q.k - 1
	case (q.k-q.n)%2 == 0:
		return q.k
	}
	return q.k - 2
}

func main() {
	var count int
	fmt.Scan(&count)
	for range count {
		var q query
		fmt.Scan(&q.n, &q.m, &q.k)
		fmt.Println(q.answer())
	}
}
