package interp

import "jacquard.example/generated/kind"

// object is memory that pointers lead into: a descriptor's, or a variable's.
type object struct {
	data    []byte
	private bool   // data holds one piece for each invocation of a subgroup
	size    int    // bytes of a piece
	image   *Image // behind an image's descriptor; data is empty then
}

// object returns what is bound to a descriptor, an empty object when nothing
// is.
func (c *Call) object(mode kind.Mode, set, binding, element uint32) object {
	if mode == kind.ModeImage {
		for i := range c.Images {
			if m := &c.Images[i]; m.Set == set && m.Binding == binding && m.Element == element {
				return object{image: m}
			}
		}
		return object{}
	}
	for _, b := range c.Buffers {
		if b.Set == set && b.Binding == binding && b.Element == element {
			return object{data: b.Data, size: len(b.Data)}
		}
	}
	return object{}
}
