// SPDX-License-Identifier: MIT

package peer

import (
	"encoding/json"
	"fmt"
)

// Stats are the driver's statistics of a program.
type Stats struct {
	Instructions int // without nop and sync.nop
	Sends        int
	Spills       int
	Fills        int
	Shared       int // bytes of workgroup memory
	Scratch      int // bytes of scratch space of a thread
	CodeBytes    int // 0 if not known
}

// UnmarshalJSON implements json.Unmarshaler. A newer driver has shorter names for some statistics. Counts are
// required unless there are no statistics at all; sizes are optional.
func (s *Stats) UnmarshalJSON(text []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for _, f := range []struct {
		to    *int
		count bool
		names []string
	}{
		{&s.Instructions, true, []string{"Instruction Count", "Instructions"}},
		{&s.Sends, true, []string{"SEND Count", "SENDs"}},
		{&s.Spills, true, []string{"Spill Count", "Spills"}},
		{&s.Fills, true, []string{"Fill Count", "Fills"}},
		{&s.Shared, false, []string{"Workgroup Memory Size"}},
		{&s.Scratch, false, []string{"Scratch Memory Size"}},
		{&s.CodeBytes, false, []string{"Code size"}},
	} {
		known := false
		for _, name := range f.names {
			if x, ok := all[name]; ok {
				if err := json.Unmarshal(x, f.to); err != nil {
					return fmt.Errorf("the peer's %s: %w", name, err)
				}
				known = true
			}
		}
		if f.count && !known && len(all) > 0 {
			return fmt.Errorf("the peer's statistics have no %q", f.names)
		}
	}
	return nil
}

// ScratchPerThread returns the bytes of scratch space of a thread in the form of [eu.Dispatch]: 0, or a power of two
// of at least 1024.
func (s *Stats) ScratchPerThread() int {
	if s.Scratch == 0 {
		return 0
	}
	size := 1024
	for size < s.Scratch {
		size *= 2
	}
	return size
}
