// SPDX-License-Identifier: MIT

package runner

import "jacquard.example/generated/kind"

// Slot is the location of a descriptor, or of an array of them.
type Slot struct{ Set, Binding uint32 }

// SpecKey identifies a specialization constant of a pipeline.
type SpecKey struct {
	Stage kind.Stage
	ID    uint32
}

// BindTable collects the bindings and specializations of a pipeline during parsing. Slots are in the order in which
// they are first bound; a derived pipeline's binding of a slot replaces the inherited one.
type BindTable struct {
	at    map[Slot]int    // index in slots
	slots [][]Bind        // by slot: its elements
	Specs map[SpecKey]int // index in the stage's Specialize
}

// NewBindTable returns the table of a pipeline, including inherited bindings.
func NewBindTable(pl *Pipeline) *BindTable {
	t := &BindTable{at: map[Slot]int{}, Specs: map[SpecKey]int{}}
	for start := 0; start < len(pl.Binds); {
		end := start + 1
		for end < len(pl.Binds) && pl.Binds[end].slot() == pl.Binds[start].slot() {
			end++
		}
		t.Set(pl.Binds[start].slot(), pl.Binds[start:end])
		start = end
	}
	keep := func(stage kind.Stage, list []Spec) {
		for i, s := range list {
			t.Specs[SpecKey{stage, s.ID}] = i
		}
	}
	keep(kind.StageCompute, pl.Specialize)
	if g := pl.Graphics; g != nil {
		keep(kind.StageVertex, g.Vertex.Specialize)
		keep(kind.StageFragment, g.Fragment.Specialize)
	}
	return t
}

func (b *Bind) slot() Slot { return Slot{b.Set, b.Binding} }

// Get returns the elements bound to a slot, or nil if there are none.
func (t *BindTable) Get(s Slot) []Bind {
	if i, ok := t.at[s]; ok {
		return t.slots[i]
	}
	return nil
}

// Set replaces the elements bound to a slot.
func (t *BindTable) Set(s Slot, binds []Bind) {
	i, ok := t.at[s]
	if !ok {
		i = len(t.slots)
		t.at[s] = i
		t.slots = append(t.slots, nil)
	}
	t.slots[i] = binds
}

// All returns the elements of all slots.
func (t *BindTable) All() []Bind {
	var out []Bind
	for _, b := range t.slots {
		out = append(out, b...)
	}
	return out
}
