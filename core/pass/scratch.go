// SPDX-License-Identifier: MIT

package pass

// Scratch returns the value of type T that a context keeps across passes and shaders. Each package of passes has its
// own type.
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
