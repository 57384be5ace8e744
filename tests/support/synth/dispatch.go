// SPDX-License-Identifier: MIT

package synth

import (
	"math/rand/v2"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Place is the place of a number: an offset in a buffer or, if Push is set, in the push constants.
type Place struct {
	Push                  bool
	Set, Binding, Element uint32
	At                    uint32
}

// Choice holds the parameters of a dispatch: numbers on which the work of a shader may depend.
type Choice struct {
	Specialize []runner.Spec
	Bytes      int              // minimum size of a storage buffer
	Whole      uint64           // the integers of push constants, of uniform buffers and of a storage buffer's head
	Below      uint64           // the random integers in arrays of a storage buffer are less than this
	Numbers    map[Place]uint64 // integers in place of Whole
}

// Dispatch is a dispatch of a compute shader.
type Dispatch struct {
	runner.Call
	Whole       []Place // places of the numbers that are Choice.Whole, except in arrays
	Invocations int
	ByAddress   bool // the shader accesses memory at addresses, which the dispatch does not provide
	Writes      bool // the shader may write buffers or images
	// SharedAtomics64 reports whether the shader has atomics on 64 bits of workgroup memory (Vulkan's feature shaderSharedInt64Atomics).
	SharedAtomics64 bool
}

const (
	minGroups        = 2
	maxGroups        = 16
	enoughThreads    = 64      // invocations for which there are more than minGroups workgroups
	dispatchBytes    = 1 << 24 // maximum size of a buffer
	dispatchElements = 64      // maximum length of an array of descriptors
	dispatchExtent   = 32
	maxWhole         = 24 // maximum number of places in Dispatch.Whole
)

// NewDispatch generates a dispatch of two workgroups, or of more if they are small. The error is an Unsupported if a
// feature of the shader prevents a dispatch, and the reader's error if the module cannot be read.
func NewDispatch(module []byte, entry string, o *Choice) (*Dispatch, error) {
	opts := spirv.Options{Stage: kind.StageCompute, Entry: entry}
	for _, c := range o.Specialize {
		opts.Specialize = append(opts.Specialize, spirv.Spec{ID: c.ID, Bits: c.Bits})
	}
	s, err := spirv.Read(module, opts)
	if err != nil {
		return nil, err
	}
	d := &Dispatch{}
	d.note(s)
	w := s.Info.WorkgroupSize
	size := max(w[0]*w[1]*w[2], 1)
	groups := min(max(enoughThreads/size, minGroups), maxGroups)
	d.Invocations = int(groups * size)
	r := resources{s: s, d: &Draw{}, choice: o, into: d, most: dispatchElements}
	for i := range r.extent {
		r.extent[i] = max(dispatchExtent, w[i])
	}
	r.extent[0] = max(r.extent[0], groups*w[0])
	r.extent[2] = max(4, w[2])
	if err := r.bind(0, 0); err != nil {
		return nil, err
	}
	d.Call = runner.Call{Shader: &runner.Shader{Name: "given"}, Entry: entry, Specialize: o.Specialize, Groups: [3]uint32{groups, 1, 1},
		Bindings: r.d.Bindings, PushConstants: r.d.PushConstants}
	d.Writes = r.d.Writes
	return d, nil
}

// whole returns an integer of a dispatch: the number chosen for its place, or a random one if it is an element of an
// array in a storage buffer.
func (r *resources) whole(n Scalar, at Place, element bool, rng *rand.Rand) uint64 {
	if element {
		return rng.Uint64() % max(r.choice.Below, 1)
	}
	at.At = n.At
	if x, ok := r.choice.Numbers[at]; ok {
		return x
	}
	return r.choice.Whole
}

// fillDispatch sets the numbers of a type: integers as the choice says, floats to values of both signs, and matrices
// as for draws.
func (r *resources) fillDispatch(data []byte, mode kind.Mode, t ir.Type, at Place, rng *rand.Rand) {
	lay := r.s.LayoutOf(mode)
	all := data
	start, period := r.repeats(lay, t)
	data = data[:min(len(data), start+period)]
	defer func() {
		for at := start + period; at < len(all); at += period {
			copy(all[at:], all[start:start+period])
		}
	}()
	list := Scalars(r.s, lay, t, 0, uint32(len(data)))
	head := headOf(r.s, lay, t)
	for _, n := range list {
		if n.Kind == ir.TypeFloat {
			n.Set(data, signedBits(n, rng))
			continue
		}
		element := mode == kind.ModeSSBO && n.At >= head
		n.Set(data, r.whole(n, at, element, rng))
		if !element && len(r.into.Whole) < maxWhole {
			at.At = n.At
			r.into.Whole = append(r.into.Whole, at)
		}
	}
}

// patternBytes is the approximate number of bytes of an array of unknown length after which the numbers repeat.
const patternBytes = 1 << 16

// repeats returns the offset at which the numbers of a block start to repeat, and the period in bytes.
func (r *resources) repeats(lay ir.Layout, t ir.Type) (start, period int) {
	list := r.s.Types.Members(t)
	if n := len(list); n > 0 {
		if x := r.s.Types.At(list[n-1].Type); x.Kind == ir.TypeArray && x.Len == 0 {
			stride := int(max(lay.Stride(list[n-1].Type), 1))
			return int(lay.Offset(t, n-1)), max(patternBytes/stride, 1) * stride
		}
	}
	return 0, dispatchBytes
}

// headOf returns the size of the members of a struct that precede its first array.
func headOf(s *ir.Shader, lay ir.Layout, t ir.Type) uint32 {
	for i, m := range s.Types.Members(t) {
		if s.Types.At(m.Type).Kind == ir.TypeArray {
			return lay.Offset(t, i)
		}
	}
	return lay.End(t)
}

// note records features of a shader that prevent a dispatch or its comparison.
func (d *Dispatch) note(s *ir.Shader) {
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				switch s.At(v).Intrinsic() {
				case intrinsic.LoadGlobal, intrinsic.StoreGlobal, intrinsic.GlobalAtomic, intrinsic.GlobalAtomicSwap,
					intrinsic.GlobalAtomic2x32, intrinsic.GlobalAtomicSwap2x32:
					d.ByAddress = true
				case intrinsic.DerefAtomic, intrinsic.DerefAtomicSwap:
					if s.At(v).Bits == 64 && s.Modes(s.Src(v, 0).Val)&kind.ModeShared != 0 {
						d.SharedAtomics64 = true
					}
				}
			}
		}
	}
}
