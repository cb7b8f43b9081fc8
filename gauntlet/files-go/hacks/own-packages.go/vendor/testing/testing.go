package testing

type T struct{}

func (*T) Errorf(string, ...any)     {}
func (*T) Fatalf(string, ...any)     {}
func (*T) Run(string, func(*T)) bool { return true }
