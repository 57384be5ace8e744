// SPDX-License-Identifier: MIT

package interp

import (
	"cmp"
	"slices"
	"sort"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// object is memory that pointers refer to, of a descriptor or a variable.
type object struct {
	data    []byte
	private bool // each invocation has its own piece, in subgroup.priv; data is empty
	layout  layout
	size    int    // bytes of a piece
	address uint64 // buffers only
	image   *Image // the object of an image or sampler descriptor; data is empty then
	tex     *texture.Image
}

// descriptor identifies one descriptor, of a buffer or of an image or sampler.
type descriptor struct {
	image                 bool
	set, binding, element uint32
}

// resources is an index of the buffers and images of a call.
type resources struct {
	call  *Call
	slots map[descriptor]int   // index of the first with this descriptor
	count map[[3]uint32]uint32 // 1 + the last bound element, by kind, set and binding
	order []int                // buffers by address
	reach []uint64             // reach[i]: the highest address at which one of the buffers order[:i+1] ends
}

func newResources(c *Call) *resources {
	r := &resources{call: c, slots: map[descriptor]int{}, count: map[[3]uint32]uint32{}}
	add := func(at int, s descriptor) {
		if _, dup := r.slots[s]; !dup {
			r.slots[s] = at
		}
		k := countKey(s.image, s.set, s.binding)
		r.count[k] = max(r.count[k], s.element+1)
	}
	for i := range c.Buffers {
		b := &c.Buffers[i]
		add(i, descriptor{false, b.Set, b.Binding, b.Element})
		r.order = append(r.order, i)
	}
	for i := range c.Images {
		m := &c.Images[i]
		add(i, descriptor{true, m.Set, m.Binding, m.Element})
	}
	slices.SortStableFunc(r.order, func(a, b int) int { return cmp.Compare(c.address(a), c.address(b)) })
	end := uint64(0)
	for _, i := range r.order {
		end = max(end, c.address(i)+uint64(len(c.Buffers[i].Data)))
		r.reach = append(r.reach, end)
	}
	return r
}

func countKey(image bool, set, binding uint32) [3]uint32 {
	return [3]uint32{uint32(b2u(image)), set, binding}
}

func isImage(mode kind.Mode) bool { return mode&(kind.ModeImage|kind.ModeUniform) != 0 }

// object returns the resource bound to a descriptor, or an empty object.
func (r *resources) object(mode kind.Mode, set, binding, element uint32) object {
	i, ok := r.slots[descriptor{isImage(mode), set, binding, element}]
	switch {
	case !ok:
		return object{}
	case isImage(mode):
		return object{image: &r.call.Images[i]}
	}
	b := &r.call.Buffers[i]
	return object{data: b.Data, size: len(b.Data), address: r.call.address(i)}
}

// elements returns the number of descriptors of a variable: the length n of its array or, for a runtime array (n is 0),
// as many as reach to the last bound one, but at least 1.
func (r *resources) elements(mode kind.Mode, set, binding, n uint32) uint32 {
	if n != 0 {
		return n
	}
	return max(1, r.count[countKey(isImage(mode), set, binding)])
}

// global returns the n bytes at an address, or nil if they are not in a buffer.
func (r *resources) global(address uint64, n int) []byte {
	i := sort.Search(len(r.order), func(i int) bool { return r.call.address(r.order[i]) > address }) - 1
	for ; i >= 0 && r.reach[i] > address; i-- {
		if b, start := &r.call.Buffers[r.order[i]], r.call.address(r.order[i]); address >= start && address-start < uint64(len(b.Data)) {
			return within(b.Data, address-start, n)
		}
	}
	return nil
}

// address returns the address of buffer i. Buffers to which the caller gives no address are 16 GiB apart, and
// accessible only through their descriptors.
func (c *Call) address(i int) uint64 {
	if a := c.Buffers[i].Address; a != 0 {
		return a
	}
	return 1<<46 + uint64(i)<<34
}
