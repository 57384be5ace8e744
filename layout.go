package jacquard

import (
	"fmt"
	"math"

	"jacquard.example/core/pass"
)

// Layout is the caller's own placement of descriptors and push constants. The ABI of the program states the result.
type Layout struct {
	// Entries says where descriptors are. Those that are not listed follow the listed ones, in order of set and binding.
	Entries []Entry
	// PushBytes is the size of the push constants in bytes, if it is more than what the shader declares: the tables of
	// buffer sizes and addresses follow them. It must not exceed the limit of the target.
	PushBytes int
}

// Entry is the place of a binding. An array of descriptors takes consecutive entries.
type Entry struct {
	Set, Binding uint32
	Entry        int // of the binding table, for all but samplers
	Sampler      int // number of the sampler, for a sampler or a combined image and sampler
}

// places returns the layout for the passes, or an error about it.
func (l *Layout) places(file string) (list []pass.Place, push uint32, err error) {
	for _, e := range l.Entries {
		if e.Entry < 0 || e.Sampler < 0 || e.Entry > math.MaxInt32 || e.Sampler > math.MaxInt32 {
			return nil, 0, &Error{File: file, Msg: fmt.Sprintf("the layout places set %d, binding %d out of range", e.Set, e.Binding)}
		}
		list = append(list, pass.Place{Set: e.Set, Binding: e.Binding, Entry: uint32(e.Entry), Sampler: uint32(e.Sampler)})
	}
	if l.PushBytes < 0 || l.PushBytes > math.MaxInt32 {
		return nil, 0, &Error{File: file, Msg: "the layout has push constants of a size out of range"}
	}
	return list, uint32(l.PushBytes), nil
}
