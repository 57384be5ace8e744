// SPDX-License-Identifier: MIT

package verify

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// outcome is a run of a shader on generated data: the buffers it wrote.
type outcome struct {
	buffers []interp.Buffer
	first   [][]byte // the initial contents of the buffers
	push    []byte
	groups  uint32 // workgroups, in a row
	seed    uint64 // seed for undefined values

	backwards bool   // invocations access memory in the opposite order
	outside   uint64 // accesses outside arrays and images, which make the results undefined
}

const (
	verifyBytes = 4096    // per buffer
	verifySteps = 1 << 22 // instructions per run
	maxPush     = 256     // bytes of push constants
	maxElements = 16      // per array of descriptors
)

// newOutcome generates data for the buffers that the shader declares: small
// integers and floats of ordinary magnitude, the same every time for the same seed.
// Push constants, which are often loop bounds, are integers only.
func newOutcome(s *ir.Shader, seed uint64, groups uint32) (*outcome, error) {
	o := &outcome{push: verifyData(maxPush, 0, seed, 1), groups: groups}
	add := func(set, binding, element uint32) {
		b := interp.Buffer{Set: set, Binding: binding, Element: element}
		for _, x := range o.buffers {
			if x.Set == set && x.Binding == binding && x.Element == element {
				return
			}
		}
		o.buffers = append(o.buffers, b)
		o.first = append(o.first, verifyData(verifyBytes, uint64(len(o.first))+1, seed, 2))
	}
	for x := range s.Vars(kind.ModeUBO | kind.ModeSSBO) {
		v := s.Var(x)
		add(v.Set, v.Binding, 0)
		n, _ := s.Types.Descriptors(v.Type)
		for e := uint32(1); e < min(n, maxElements); e++ {
			add(v.Set, v.Binding, e)
		}
	}
	for _, b := range s.Info.Bindings { // for a shader with explicit memory accesses
		for e := range min(b.Count, maxElements) {
			add(b.Set, b.Binding, e)
		}
	}
	if len(o.buffers) == 0 {
		return nil, errors.New("--verify=run needs a shader with buffers, and this one has none")
	}
	return o, nil
}

// verifyData returns at least n bytes of words for one of the inputs: integers if kinds is 1, otherwise floats as
// well.
func verifyData(n int, input, seed uint64, kinds uint32) []byte {
	rng := rand.New(rand.NewPCG(input, seed))
	var data []byte
	for len(data) < n {
		w := rng.Uint32N(64)
		if rng.Uint32N(kinds) == 1 {
			w = math.Float32bits(rng.Float32()*8 - 4)
		}
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return data
}

// word returns four bytes of a buffer.
func (o *outcome) word(buffer, at int) uint32 {
	return binary.LittleEndian.Uint32(o.buffers[buffer].Data[at:])
}

// again returns an outcome with the same initial data.
func (o *outcome) again() *outcome {
	return &outcome{buffers: append([]interp.Buffer(nil), o.buffers...), first: o.first, push: o.push, groups: o.groups}
}

func (o *outcome) run(ctx context.Context, s *ir.Shader) error {
	for i := range o.buffers {
		o.buffers[i].Data = append([]byte(nil), o.first[i]...)
	}
	call := &interp.Call{Groups: [3]uint32{o.groups, 1, 1}, Width: 16, Buffers: o.buffers, Push: o.push,
		MaxSteps: verifySteps, Seed: o.seed, Backwards: o.backwards}
	stats, err := interp.Run(ctx, s, call)
	o.outside = stats.Outside
	return err
}

func isNaN(w uint32) bool { return w&0x7fffffff > 0x7f800000 }

// CloseFloats reports whether two words are floats of ordinary magnitude that differ
// little, or both NaN.
func CloseFloats(a, b uint32) bool {
	x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	const ordinary = 1e-30 // below it a word is more likely an integer
	return math.Abs(x) > ordinary && math.Abs(y) > ordinary && math.Abs(x-y) <= 1e-4*math.Abs(y)
}
