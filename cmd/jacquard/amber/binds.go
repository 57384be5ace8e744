package amber

import "jacquard.example/generated/kind"

// slot is the location of a descriptor, or of an array of them.
type slot struct{ set, binding uint32 }

// specKey identifies a specialization constant of a pipeline.
type specKey struct {
	stage kind.Stage
	id    uint32
}

// bindTable collects the bindings and specializations of a pipeline during parsing. Slots are in the order in which
// they are first bound; a derived pipeline's binding of a slot replaces the inherited one.
type bindTable struct {
	at    map[slot]int    // index in slots
	slots [][]Bind        // by slot: its elements
	specs map[specKey]int // index in the stage's Specialize
}

// newBindTable returns the table of a pipeline, including inherited bindings.
func newBindTable(pl *Pipeline) *bindTable {
	t := &bindTable{at: map[slot]int{}, specs: map[specKey]int{}}
	for start := 0; start < len(pl.Binds); {
		end := start + 1
		for end < len(pl.Binds) && pl.Binds[end].slot() == pl.Binds[start].slot() {
			end++
		}
		t.set(pl.Binds[start].slot(), pl.Binds[start:end])
		start = end
	}
	keep := func(stage kind.Stage, list []Spec) {
		for i, s := range list {
			t.specs[specKey{stage, s.ID}] = i
		}
	}
	keep(kind.StageCompute, pl.Specialize)
	if g := pl.Graphics; g != nil {
		keep(kind.StageVertex, g.Vertex.Specialize)
		keep(kind.StageFragment, g.Fragment.Specialize)
	}
	return t
}

func (b *Bind) slot() slot { return slot{b.Set, b.Binding} }

// get returns the elements bound to a slot.
func (t *bindTable) get(s slot) []Bind {
	if i, ok := t.at[s]; ok {
		return t.slots[i]
	}
	return nil
}

func (t *bindTable) set(s slot, binds []Bind) {
	i, ok := t.at[s]
	if !ok {
		i = len(t.slots)
		t.at[s] = i
		t.slots = append(t.slots, nil)
	}
	t.slots[i] = binds
}

// all returns the elements of all slots.
func (t *bindTable) all() []Bind {
	var out []Bind
	for _, b := range t.slots {
		out = append(out, b...)
	}
	return out
}
