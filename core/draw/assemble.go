package draw

// assemble calls fn with the vertices of each triangle, the provoking vertex first (Vulkan
// specification, "Primitive Topologies"). list may contain restarts.
func (t Topology) assemble(list []uint64, fn func(a, b, c int) error) error {
	for start := 0; start < len(list); {
		end := start
		for end < len(list) && list[end] != restart {
			end++
		}
		if err := t.run(start, end-start, fn); err != nil {
			return err
		}
		start = end + 1
	}
	return nil
}

// run assembles n vertices from a position on.
func (t Topology) run(at, n int, fn func(a, b, c int) error) error {
	step, count := 1, n-2
	if t == TriangleList {
		step, count = 3, n/3
	}
	for i := range max(count, 0) {
		a, b, c := at+i*step, at+i*step+1, at+i*step+2
		switch {
		case t == TriangleStrip && i%2 == 1:
			b, c = c, b
		case t == TriangleFan:
			a, b, c = at+i+1, at+i+2, at
		}
		if err := fn(a, b, c); err != nil {
			return err
		}
	}
	return nil
}
