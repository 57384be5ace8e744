package interp

import (
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// object is memory that pointers lead into: a descriptor's, or a variable's.
type object struct {
	data    []byte
	private bool   // data holds one piece for each invocation of a subgroup
	size    int    // bytes of a piece
	address uint64 // of a buffer
	image   *Image // behind a descriptor of an image or a sampler; data is empty then
	tex     *texture.Image
}

// object returns what is bound to a descriptor, an empty object when nothing
// is.
func (c *Call) object(mode kind.Mode, set, binding, element uint32) object {
	if mode&(kind.ModeImage|kind.ModeUniform) != 0 {
		for i := range c.Images {
			if m := &c.Images[i]; m.Set == set && m.Binding == binding && m.Element == element {
				return object{image: m}
			}
		}
		return object{}
	}
	for i, b := range c.Buffers {
		if b.Set == set && b.Binding == binding && b.Element == element {
			return object{data: b.Data, size: len(b.Data), address: c.address(i)}
		}
	}
	return object{}
}

// address is where buffer i lies. Those that are at no address of the caller's
// lie where only their descriptor leads, 16 GiB apart.
func (c *Call) address(i int) uint64 {
	if a := c.Buffers[i].Address; a != 0 {
		return a
	}
	return 1<<46 + uint64(i)<<34
}

// elements is how many descriptors a variable has: as many as its array says,
// or, of an array without a size, as are bound.
func (c *Call) elements(mode kind.Mode, set, binding, n uint32) uint32 {
	if n != 0 {
		return n
	}
	n = 1
	for i := range c.Images {
		if m := &c.Images[i]; m.Set == set && m.Binding == binding && mode&(kind.ModeImage|kind.ModeUniform) != 0 {
			n = max(n, m.Element+1)
		}
	}
	for i := range c.Buffers {
		if b := &c.Buffers[i]; b.Set == set && b.Binding == binding && mode&(kind.ModeUBO|kind.ModeSSBO) != 0 {
			n = max(n, b.Element+1)
		}
	}
	return n
}
