package main

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Fatalf("Add(1, 2) = %d", got)
	}
	want := 1000000008
	if got := Add(1000000007, 1); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

func TestTable(t *testing.T) {
	tests := []struct {
		name       string
		x, y, want int
	}{
		{"zero", 0, 0, 0},
		{"negative", -5, 12, 7},
		{name: "large", x: 40000, y: 2500, want: 42500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Add(tt.x, tt.y); got != tt.want {
				t.Errorf("Add(%d, %d) = %d, want %d", tt.x, tt.y, got, tt.want)
			}
		})
	}
}
