// SPDX-License-Identifier: MIT

package interp

import (
	"cmp"
	"fmt"
	"slices"
)

// Handle is an object that shaders access by a handle, without a descriptor of a set.
type Handle struct {
	Value uint32
	Image Image // Set, Binding and Element are ignored
}

// Handles are the handles that a call defines. Images and samplers have separate name spaces; each list is in
// increasing order of Value. An access by an undefined handle is an error.
type Handles struct {
	Images, Samplers []Handle
}

// handles maps the handles of a call to objects.
type handles struct{ images, samplers handleTable }

// handleTable lists the handles of one kind, in increasing order. The object of list[i] is first + i.
type handleTable struct {
	list  []Handle
	first int
}

// bindHandles creates the objects of the call's handles.
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
				return &Error{Msg: fmt.Sprintf("the %s handles 0x%08x and 0x%08x are not in increasing order", x.what,
					x.list[i-1].Value, x.list[i].Value)}
			}
			m.objs = append(m.objs, object{image: &x.list[i].Image})
		}
	}
	return nil
}

// object returns the object with a handle, or 0 if there is none.
func (t *handleTable) object(x uint64) int {
	i, ok := slices.BinarySearchFunc(t.list, x, func(h Handle, x uint64) int { return cmp.Compare(uint64(h.Value), x) })
	if !ok {
		return 0
	}
	return t.first + i
}
