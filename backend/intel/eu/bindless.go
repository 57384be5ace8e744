package eu

import (
	"fmt"

	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
)

// Bindless surfaces and samplers. A descriptor with binding table index 252 selects no entry of the binding
// table. Instead, bits 31:12 of the extended descriptor are bits 25:6 of the offset of a surface state from the
// bindless surface state base (TGL PRM vol. 2a, "Extended Message Descriptor"; vol. 5, "Bindless Surface
// State"). A surface state has 64 bytes, so these bits are its index.
//
// Dword 3 of the message's header selects a bindless sampler state: an offset from the dynamic state base that
// is a multiple of 32 (TGL PRM vol. 9, "Message Header"). In the model, the thread's own sampler states start
// at samplerStates; the heap precedes them.
const (
	handleShift     = 12
	samplerHeapStep = 32 // a state has 16 bytes
	maxSurfaceHeap  = 1 << (32 - handleShift)
	maxSamplerHeap  = samplerStates / samplerHeapStep
	coarseLOD       = 1 << 11 // bit of the sampler's extended descriptor
)

// Heap is the surface and sampler states that bindless messages access.
type Heap struct {
	Surfaces []*Surface         // surface i has the handle i << 12
	Samplers []*texture.Sampler // sampler i has the handle i * 32
}

// selectsHandle sets the message's surface handle if its descriptor selects a bindless surface.
func (m *message) selectsHandle(sfid isa.SFID, desc, ex uint32) *opError {
	if m.bti != btiBindless || sfid != isa.SFIDDC0 && sfid != isa.SFIDDC1 && sfid != isa.SFIDSampler {
		return nil
	}
	if sfid == isa.SFIDDC0 && desc>>18&1 != 0 { // the low bits of scratch messages are an offset
		return nil
	}
	if sfid != isa.SFIDSampler && m.coords == 0 {
		return operr(FaultUnsupported, "bindless buffers are not supported yet (descriptor 0x%08x)", desc)
	}
	m.handle = ex >> handleShift
	return nil
}

// surface returns the surface that an image message accesses, in the model's form and as passed to the
// launcher. The second result is nil for the null surface.
func (g *machine) surface(m *message) (*typedSurface, *Surface, *opError) {
	if m.bti != btiBindless {
		if int(m.bti) >= len(g.typed) {
			return nil, nil, operr(FaultMemory, "there is no surface at binding table index %d", m.bti)
		}
		return &g.typed[m.bti], g.surfaces[m.bti], nil
	}
	if int(m.handle) >= len(g.heap.Surfaces) || g.heap.Surfaces[m.handle] == nil {
		return nil, nil, operr(FaultMemory, "there is no surface with the handle 0x%08x", m.handle<<handleShift)
	}
	return &g.typedHeap[m.handle], g.heap.Surfaces[m.handle], nil
}

// surfaceName names the message's surface for error messages.
func (m *message) surfaceName() string {
	if m.bti == btiBindless {
		return fmt.Sprintf("the surface with the handle 0x%08x", m.handle<<handleShift)
	}
	return fmt.Sprintf("surface %d", m.bti)
}

// samplerState returns the sampler state of a message.
func (c *sampling) samplerState() (*texture.Sampler, *opError) {
	g := c.t.group.machine
	if h := c.header.heap; h >= 0 {
		if c.m.sampler != 0 {
			return nil, operr(FaultUnsupported, "sampler %d from a pointer to one sampler state (0x%08x)", c.m.sampler, h*samplerHeapStep)
		}
		if h >= len(g.heap.Samplers) || g.heap.Samplers[h] == nil {
			return nil, operr(FaultMemory, "there is no sampler state with the handle 0x%08x", h*samplerHeapStep)
		}
		return g.heap.Samplers[h], nil
	}
	i := int(c.m.sampler) + c.header.sampler
	if i >= len(g.samplers) || g.samplers[i] == nil {
		return nil, operr(FaultMemory, "there is no sampler state at index %d", i)
	}
	return g.samplers[i], nil
}
