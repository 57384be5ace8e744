// SPDX-License-Identifier: MIT

package corpus

import (
	"context"
	"math"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/tests/oracle/unspecified"
)

// variant is one of the ways in which SPIR-V allows a shader to run.
type variant struct {
	groups    uint32
	only      *[3]uint32 // the workgroup that runs, or nil for all
	width     int        // width of subgroups
	backwards bool       // workgroups and subgroups in the opposite order
	seed      uint64     // seed for undefined results
	loose     uint64     // seed of the operations with freedom in SPIR-V; 0 means the interpreter's choices
	math      bool       // the model's functions of the math unit: see override
}

// runAs runs a shader on a copy of the inputs, and returns the copy.
func (in *inputs) runAs(ctx context.Context, s *ir.Shader, v variant) (out *inputs, stats interp.Stats, err error) {
	out = in.clone()
	err = guard(func() error {
		call := &interp.Call{
			Groups: [3]uint32{v.groups, 1, 1}, Only: v.only, Width: v.width, Backwards: v.backwards, Seed: v.seed,
			Buffers: out.buffers, Images: out.images, Push: out.push, MaxSteps: maxSteps,
		}
		switch {
		case v.loose != 0:
			call.Override = unspecified.Of(s, v.loose)
		case v.math:
			call.Override = override(v.seed)
		}
		stats, err = interp.Run(ctx, s, call)
		return err
	})
	return out, stats, err
}

// cause is a reason why a result is undefined, with the runs that show it.
type cause struct {
	why  string
	runs []variant
}

// causes returns the variations that a shader's results must not depend on. Shaders with subgroup operations may depend on
// the subgroup size, so for them only the order varies.
func causes(groups uint32, width int, subgroups bool) []cause {
	usual := variant{groups: groups, width: width}
	with := func(f func(v *variant)) variant {
		v := usual
		f(&v)
		return v
	}
	order := []variant{with(func(v *variant) { v.backwards = true })}
	if !subgroups {
		order = []variant{
			with(func(v *variant) { v.backwards, v.width = true, 1 }),
			with(func(v *variant) { v.width = 64 }),
		}
	}
	out := []cause{
		{"it depends on values that are undefined", []variant{with(func(v *variant) { v.seed = 0x5bd1e995 })}},
		{"it depends on the order of invocations", order},
		{"it depends on operations without a defined result, or on more precision than there need be", nil},
	}
	for i := range uint64(8) {
		out[2].runs = append(out[2].runs, with(func(v *variant) { v.loose = i + 1 }))
	}
	return out
}

// apart reports whether two workgroups leave the same numbers when each runs alone as when both run. If not, the
// workgroups affect each other, and their order would matter. start holds the numbers before the runs.
func (in *inputs) apart(ctx context.Context, s *ir.Shader, v variant, start, together []uint64) bool {
	var alone [2][]uint64
	for i := range alone {
		v.only = &[3]uint32{uint32(i), 0, 0}
		out, _, err := in.runAs(ctx, s, v)
		if err != nil {
			return false
		}
		_, alone[i] = out.results()
	}
	for i, x := range together {
		a, b := alone[0][i], alone[1][i]
		if a == start[i] {
			a = b
		}
		if b == start[i] {
			b = a
		}
		if x != a || x != b {
			return false
		}
	}
	return true
}

// bound is the set of values that SPIR-V allows for a number: any value (open), a single value, or the floats in an
// interval.
type bound struct {
	open   bool
	float  bool
	only   uint64
	lo, hi float64
}

// boundOf returns the bound of the results of the runs.
func boundOf(n number, values []uint64) bound {
	same := true
	for _, v := range values[1:] {
		same = same && v == values[0]
	}
	b := bound{float: n.float, only: values[0], lo: math.Inf(1), hi: math.Inf(-1)}
	if !n.float && same {
		return b
	}
	if !n.float && n.bits != 32 {
		return bound{open: true}
	}
	for _, v := range values {
		f := floatOf(v, n.bits)
		b.lo, b.hi = min(b.lo, f), max(b.hi, f)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return bound{open: true}
		}
		if !n.float && (math.Abs(f) < 1e-30 || math.Abs(f) > 1e30) { // not a float after all
			return bound{open: true}
		}
	}
	b.float = true
	// A float that varies more carries no information.
	const most = 1. / 64
	size := max(math.Abs(b.lo), math.Abs(b.hi))
	if n.float {
		size = max(size, 1)
	}
	if b.hi-b.lo > most*size+n.slack {
		return bound{open: true}
	}
	return b
}

// precision is the relative error that a float may have beyond the range of the runs: functions that the reader makes
// of others have the precision of the whole, 4096 units in the last place for most (Vulkan specification, "Precision
// and Operation of SPIR-V Instructions"), and the runs are samples.
const precision = 1e-4

// holds reports whether a result is allowed by SPIR-V.
func (b *bound) holds(n number, x uint64) bool {
	if b.open || x == b.only {
		return true
	}
	if !b.float {
		return false
	}
	f := floatOf(x, n.bits)
	room := b.hi - b.lo + n.slack + (precision+n.share)*max(math.Abs(b.lo), math.Abs(b.hi)) + 1e-37
	return f >= b.lo-room && f <= b.hi+room
}
