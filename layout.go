package jacquard

import (
	"fmt"
	"math"

	"jacquard.example/core/pass"
)

// Layout places descriptors and push constants as the caller requires. The ABI of the program describes the result.
type Layout struct {
	// Entries places bindings, each once. Bindings that are not listed follow the listed ones, in order of set and
	// binding. Entries for bindings that the shader does not use have no effect.
	Entries []Entry
	// PushBytes is the size of the push constants in bytes, if it is greater than the declared size: the tables of
	// buffer sizes and addresses follow them. It must not exceed the limit of the target.
	PushBytes int
}

// Entry is the place of a binding. An array of descriptors takes consecutive entries.
type Entry struct {
	Set, Binding uint32
	Entry        int // entry of the binding table, unused for samplers
	Sampler      int // number of the sampler, for a sampler or a combined image and sampler
}

// places returns the layout in the form that passes take, or an error about it.
func (l *Layout) places(file string) (places map[[2]uint32]pass.Place, push uint32, err error) {
	places = map[[2]uint32]pass.Place{}
	for _, e := range l.Entries {
		key := [2]uint32{e.Set, e.Binding}
		if _, ok := places[key]; ok {
			return nil, 0, &Error{File: file, Msg: fmt.Sprintf("the layout places set %d, binding %d twice", e.Set, e.Binding)}
		}
		if e.Entry < 0 || e.Sampler < 0 || e.Entry > math.MaxInt32 || e.Sampler > math.MaxInt32 {
			return nil, 0, &Error{File: file, Msg: fmt.Sprintf("the layout places set %d, binding %d out of range", e.Set, e.Binding)}
		}
		places[key] = pass.Place{Entry: uint32(e.Entry), Sampler: uint32(e.Sampler)}
	}
	if l.PushBytes < 0 || l.PushBytes > math.MaxInt32 {
		return nil, 0, &Error{File: file, Msg: "the layout has push constants of a size out of range"}
	}
	return places, uint32(l.PushBytes), nil
}
