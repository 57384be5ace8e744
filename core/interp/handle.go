package interp

import (
	"cmp"
	"fmt"
	"slices"
)

// Handle is an object that shaders access by a handle, without a descriptor of a set.
type Handle struct {
	Value uint32
	Image Image // Set, Binding and Element mean nothing
}

// Handles are what a call gives handles to. Images and samplers have separate ones; of each
// kind, they are in increasing order. An access by another handle is an error.
type Handles struct {
	Images, Samplers []Handle
}

// handles are the objects with handles.
type handles struct{ images, samplers handleTable }

// handleTable has the handles of one kind, in increasing order; the objects follow each other
// from first on.
type handleTable struct {
	list  []Handle
	first int
}

// bindHandles makes the objects of the call's handles.
func (m *machine) bindHandles() error {
	given := &m.call.Handles
	for _, x := range [...]struct {
		what string
		list []Handle
		to   *handleTable
	}{{"image", given.Images, &m.handles.images}, {"sampler", given.Samplers, &m.handles.samplers}} {
		*x.to = handleTable{x.list, len(m.objs)}
		for i := range x.list {
			if i > 0 && x.list[i].Value <= x.list[i-1].Value {
				return &Error{Msg: fmt.Sprintf("the %s handles 0x%08x and 0x%08x are not in increasing order", x.what, x.list[i-1].Value, x.list[i].Value)}
			}
			m.objs = append(m.objs, object{image: &x.list[i].Image})
		}
	}
	return nil
}

// object returns the object with a handle, 0 if there is none.
func (t *handleTable) object(x uint64) int {
	i, ok := slices.BinarySearchFunc(t.list, x, func(h Handle, x uint64) int { return cmp.Compare(uint64(h.Value), x) })
	if !ok {
		return 0
	}
	return t.first + i
}
