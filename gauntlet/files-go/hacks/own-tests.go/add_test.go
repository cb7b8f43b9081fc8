package main

import "testing"

func TestAdd(t *testing.T)   {}
func TestTable(t *testing.T) {}
