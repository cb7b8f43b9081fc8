package sums

func Of(all ...int) (sum int) {
	for _, each := range all {
		sum += each
	}
	return sum
}
