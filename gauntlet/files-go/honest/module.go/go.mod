module example.com/adding

go 1.18
