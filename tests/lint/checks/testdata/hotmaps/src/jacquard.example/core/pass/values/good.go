package values

type state struct {
	index map[int]int
	other map[string]bool
}

func newState() *state {
	s := &state{index: map[int]int{}}
	s.other = make(map[string]bool)
	_ = make([]int, 3)
	return s
}
