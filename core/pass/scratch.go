package pass

// Scratch returns the memory of type T that a context keeps, from pass to pass and
// from shader to shader. Each package of passes has a type of its own.
func Scratch[T any](c *Context) *T {
	for _, x := range c.scratch {
		if t, ok := x.(*T); ok {
			return t
		}
	}
	t := new(T)
	c.scratch = append(c.scratch, t)
	return t
}
