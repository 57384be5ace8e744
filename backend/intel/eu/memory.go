// SPDX-License-Identifier: MIT

package eu

import (
	"sort"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

func newMachine(d *thread.Dispatch) (*thread.Machine, error) {
	m := &thread.Machine{Surfaces: d.Surfaces, Samplers: d.Samplers, Heap: d.Heap, Stage: d.Stage,
		Maps: append([]thread.Mapping(nil), d.Mappings...)}
	if len(m.Heap.Surfaces) > thread.MaxSurfaceHeap || len(m.Heap.Samplers) > thread.MaxSamplerHeap {
		return nil, launchError("a heap of %d surfaces and %d samplers; the limits are %d and %d",
			len(m.Heap.Surfaces), len(m.Heap.Samplers), thread.MaxSurfaceHeap, thread.MaxSamplerHeap)
	}
	var err error
	if m.Typed, err = images(d.Program.Machine, m.Surfaces, "surface"); err != nil {
		return nil, err
	}
	if m.TypedHeap, err = images(d.Program.Machine, m.Heap.Surfaces, "surface of the heap"); err != nil {
		return nil, err
	}
	sort.Slice(m.Maps, func(i, j int) bool { return m.Maps[i].Addr < m.Maps[j].Addr })
	for i := range m.Maps {
		end := m.Maps[i].Addr + uint64(len(m.Maps[i].Data))
		if end < m.Maps[i].Addr || i+1 < len(m.Maps) && end > m.Maps[i+1].Addr {
			return nil, launchError("the mapping at 0x%x overlaps another or ends beyond the address space", m.Maps[i].Addr)
		}
	}
	return m, nil
}

// images prepares the surfaces that are images.
func images(on *target.Target, surfaces []*thread.Surface, what string) ([]thread.TypedSurface, error) {
	all := make([]thread.TypedSurface, len(surfaces))
	for i, s := range surfaces {
		if s == nil || s.Image == nil {
			continue
		}
		switch {
		case s.Data != nil:
			return nil, launchError("%s %d is both an image and a buffer", what, i)
		case s.Image.Format == nil || len(s.Image.Levels) == 0:
			return nil, launchError("%s %d is an image without a format or without levels", what, i)
		}
		var err error
		if all[i], err = message.Typed(on, s); err != nil {
			return nil, launchError("%s %d: %v", what, i, err)
		}
	}
	return all, nil
}
