// SPDX-License-Identifier: MIT

package message

import (
	"fmt"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
)

// SurfaceName names the message's surface for error messages.
func SurfaceName(m *thread.Message) string {
	if m.Bti == thread.BtiBindless {
		return fmt.Sprintf("the surface with the handle 0x%08x", m.Handle<<thread.HandleShift)
	}
	return fmt.Sprintf("surface %d", m.Bti)
}

// SamplerState returns the sampler state of a message.
func SamplerState(c *thread.Sampling) (*texture.Sampler, *thread.OpError) {
	g := c.T.Group.Machine
	if h := c.Header.Heap; h >= 0 {
		if c.M.Sampler != 0 {
			return nil, thread.Operr(thread.FaultUnsupported, "sampler %d relative to a bindless sampler state (0x%08x) is not supported",
				c.M.Sampler, h*thread.SamplerHeapStep)
		}
		if h >= len(g.Heap.Samplers) || g.Heap.Samplers[h] == nil {
			return nil, thread.Operr(thread.FaultMemory, "there is no sampler state with the handle 0x%08x", h*thread.SamplerHeapStep)
		}
		return g.Heap.Samplers[h], nil
	}
	i := int(c.M.Sampler) + c.Header.Sampler
	if i >= len(g.Samplers) || g.Samplers[i] == nil {
		return nil, thread.Operr(thread.FaultMemory, "there is no sampler state at index %d", i)
	}
	return g.Samplers[i], nil
}
