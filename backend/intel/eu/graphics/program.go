// SPDX-License-Identifier: MIT

package graphics

import (
	"cmp"
	"context"
	"fmt"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/interp"
	"jacquard.example/core/texture"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
)

// Program is the program of a vertex or fragment shader with the interface of its threads.
type Program struct {
	Code *eu.Program
	SIMD int // lanes per thread; the ABI tells how many of them a vertex has
	ABI  *abi.ABI
	Uses Parts
	// User is the contents of the part abi.User.
	User   []byte
	Inputs []Input

	// For vertex programs: the number of slots in a URB entry, and the outputs in it.
	Slots   int
	Outputs []Output

	// For fragment programs: the number of render targets, whose binding table entries start at FirstTarget,
	// and the slots of outputs other than colors. The slot of a color is the number of its target.
	FirstTarget, Targets                         int
	Colors                                       []uint8 // see eu.Stage
	MaskSlot, DepthSlot, StencilSlot, SecondSlot int
	WritesMask, WritesDepth, WritesStencil       bool
	NullTarget                                   bool // see eu.Stage
	PerSample                                    bool // the lanes of a thread are samples
	// Topology is the type of the primitives, as headers have it.
	Topology uint32

	Surfaces         []*eu.Surface
	Samplers         []*texture.Sampler
	Mappings         []eu.Mapping
	ScratchPerThread int
	Options          eu.Options
}

// Parts is a set of parts of a payload.
type Parts uint32

// PartsOf returns the set of the given parts.
func PartsOf(parts ...abi.Part) (set Parts) {
	for _, p := range parts {
		set |= 1 << p
	}
	return set
}

// Has reports whether a part is in the set.
func (set Parts) Has(p abi.Part) bool { return set>>p&1 != 0 }

// Input is a slot of four components in the payload: a vertex attribute, or the planes of a fragment input.
type Input struct {
	Slot int // slot of [interp.Fixed]; -1 if Values is used
	// Values are the builtins in the components of an attribute slot.
	Values [4]intrinsic.ID
}

// Output maps a doubleword of a URB entry to a component of a slot of [interp.Fixed].
type Output struct {
	At              int // index of the doubleword
	Slot, Component int
}

// alwaysRead is the number of leading doublewords of a URB entry that fixed functions read for every vertex:
// the header and the position (TGL PRM vol. 9, "Vertex URB Entry (VUE) Formats").
const alwaysRead = 8

// outputs marks the doublewords of a URB entry that are read.
func (p *Program) outputs() []bool {
	out := make([]bool, max(4*p.Slots, alwaysRead))
	for i := range alwaysRead {
		out[i] = true
	}
	for _, o := range p.Outputs {
		out[o.At] = true
	}
	return out
}

// dispatch returns a dispatch of threads of the program.
func (p *Program) dispatch(threads int, s *eu.Stage) *eu.Dispatch {
	return &eu.Dispatch{
		Program: p.Code, SIMD: p.SIMD, Groups: [3]uint32{uint32(threads), 1, 1}, LocalSize: [3]uint32{uint32(p.SIMD), 1, 1},
		Surfaces: p.Surfaces, Samplers: p.Samplers, Mappings: p.Mappings, ScratchPerThread: p.ScratchPerThread, Stage: s,
		Options: p.Options,
	}
}

// check returns an error if the ABI belongs to another stage.
func (p *Program) check(stage string) error {
	switch {
	case p.ABI.Stage != stage:
		return fmt.Errorf("graphics: the ABI %s is not for %s shaders", p.ABI.Name, stage)
	}
	return nil
}

// entryUnit is the number of slots in the 64 bytes that are the unit of the size of URB entries (Haswell PRM vol. 2, "3DSTATE_URB_VS").
const entryUnit = 4

// lanesOf returns the mask of n lanes.
func lanesOf(n int) uint32 { return uint32(uint64(1)<<n - 1) }

// Vertices runs a vertex program for n vertices. Invocations of f are numbered from 0.
func (p *Program) Vertices(ctx context.Context, n int, f interp.Fixed) error {
	if err := p.check("vertex"); err != nil {
		return err
	}
	per := p.ABI.Vertices(p.SIMD)
	if per < 1 {
		return fmt.Errorf("graphics: a thread of %d lanes is too small for a vertex of %s", p.SIMD, p.ABI.Name)
	}
	threads := (n + per - 1) / per
	slots := p.Slots
	if per < p.SIMD { // messages write pairs of slots, which the last unit of the entry has
		slots = (max(slots, alwaysRead/thread.SlotDwords) + entryUnit - 1) / entryUnit * entryUnit
	}
	urb := thread.NewURB(threads*per, slots)
	var wrong error
	d := p.dispatch(threads, &eu.Stage{
		Kind: eu.VertexStage, URB: urb, Outputs: p.outputs(),
		Live: func(thread int) uint32 { return lanesOf(min(n-thread*per, per) * (p.SIMD / per)) },
	})
	d.Payload = func(l *eu.Launch, grf *eu.GRFs) {
		first := int(l.Group[0]) * per
		w := payload{p: p, l: l, grf: grf, f: f, lanes: min(n-first, per), first: first, urb: urb}
		w.fill()
		wrong = cmp.Or(wrong, w.err)
	}
	if _, err := eu.Run(ctx, d); err != nil {
		return err
	}
	if wrong != nil {
		return wrong
	}
	for v := range n {
		for _, o := range p.Outputs {
			if x, written := urb.Slot(v, o.At/4); written>>(o.At%4)&1 != 0 {
				f.Output(v, o.Slot, o.Component, x[o.At%4])
			}
		}
	}
	return nil
}
