// SPDX-License-Identifier: MIT

package explicitio

import (
	"cmp"
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
)

// place assigns binding-table entries and samplers to bindings, which are sorted: first the places in Options.Places,
// then the other bindings. It returns the sizes of both tables.
func (c context) place(list []ir.Binding) (entries, samplers uint32) {
	for i := range list {
		b := &list[i]
		at, ok := c.Options.Places[[2]uint32{b.Set, b.Binding}]
		if !ok {
			continue
		}
		if b.Index != ir.NoIndex {
			b.Index = at.Entry
			entries = max(entries, ir.SatAdd(b.Index, b.Count))
		}
		if b.Sampler != 0 {
			b.Sampler = at.Sampler + 1
			samplers = max(samplers, ir.SatAdd(at.Sampler, b.Count))
		}
	}
	for i := range list {
		b := &list[i]
		if _, ok := c.Options.Places[[2]uint32{b.Set, b.Binding}]; ok {
			continue
		}
		if b.Index != ir.NoIndex {
			b.Index = entries
			entries = ir.SatAdd(entries, b.Count)
		}
		if b.Sampler != 0 {
			b.Sampler = samplers + 1
			samplers = ir.SatAdd(samplers, b.Count)
		}
	}
	if len(c.Options.Places) > 0 {
		c.apart(list, "entry", func(b *ir.Binding) (uint32, bool) { return b.Index, b.Index != ir.NoIndex })
		c.apart(list, "sampler", func(b *ir.Binding) (uint32, bool) { return b.Sampler - 1, b.Sampler != 0 })
	}
	return entries, samplers
}

// uses begins an error about the sizes of the tables: a layout may leave entries free.
func (c context) uses() string {
	if len(c.Options.Places) > 0 {
		return "the layout needs room for"
	}
	return "the shader uses"
}

// apart fails if two bindings share an entry of a table. at returns the first entry of a binding.
func (c context) apart(list []ir.Binding, what string, at func(*ir.Binding) (uint32, bool)) {
	var sorted []*ir.Binding
	for i := range list {
		if _, ok := at(&list[i]); ok {
			sorted = append(sorted, &list[i])
		}
	}
	slices.SortStableFunc(sorted, func(a, b *ir.Binding) int {
		x, _ := at(a)
		y, _ := at(b)
		return cmp.Compare(x, y)
	})
	for i := range max(len(sorted), 1) - 1 {
		a, b := sorted[i], sorted[i+1]
		x, _ := at(a)
		if y, _ := at(b); ir.SatAdd(x, a.Count) > y {
			c.Fail("%w gives %s %d to both set %d, binding %d and set %d, binding %d",
				pass.ErrPlaces, what, y, a.Set, a.Binding, b.Set, b.Binding)
		}
	}
}
