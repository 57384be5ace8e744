package pass

// A Scratch is memory of type T that a package of passes keeps in every context,
// from pass to pass and from shader to shader.
type Scratch[T any] struct{ index int }

var scratches int

// NewScratch makes a place for a T in every context. It is called while
// packages are initialized.
func NewScratch[T any]() Scratch[T] {
	scratches++
	return Scratch[T]{scratches - 1}
}

// Of returns the memory in context c.
func (k Scratch[T]) Of(c *Context) *T {
	if len(c.scratch) < scratches {
		c.scratch = append(c.scratch, make([]any, scratches-len(c.scratch))...)
	}
	if c.scratch[k.index] == nil {
		c.scratch[k.index] = new(T)
	}
	return c.scratch[k.index].(*T)
}
