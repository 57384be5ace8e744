package amber

// slot is the location of a descriptor, or of an array of them.
type slot struct{ set, binding uint32 }

// bindTable is what a pipeline binds and specializes while it is parsed. Slots are in the order
// in which they are first bound; a derived pipeline's binding of a slot replaces the inherited
// one.
type bindTable struct {
	at    map[slot]int   // index in slots
	slots [][]Bind       // by slot: its elements
	specs map[uint32]int // index in the pipeline's Specialize, by id
}

// newBindTable returns the table of a pipeline, including inherited bindings.
func newBindTable(pl *Pipeline) *bindTable {
	t := &bindTable{at: map[slot]int{}, specs: map[uint32]int{}}
	for start := 0; start < len(pl.Binds); {
		end := start + 1
		for end < len(pl.Binds) && pl.Binds[end].slot() == pl.Binds[start].slot() {
			end++
		}
		t.set(pl.Binds[start].slot(), pl.Binds[start:end])
		start = end
	}
	for i, s := range pl.Specialize {
		t.specs[s.ID] = i
	}
	return t
}

func (b *Bind) slot() slot { return slot{b.Set, b.Binding} }

// get returns what is bound to a slot.
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
