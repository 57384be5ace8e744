// SPDX-License-Identifier: MIT

package vars

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// maxFilling bounds the iterations that are executed to fill the tables of a shader.
const maxFilling = 4096

// storeInLoop adds to a table the constants that store v, which has dynamic indices, stores in the iterations of the
// innermost loop around it. known is the constant part of the offset. It reports whether the table remains constant. A store that some
// iterations do not reach may be added, since a part that nothing stores to is undefined. A loop with a continue has no
// known values, since its phis have more than two operands.
func (c context) storeInLoop(v ir.Value, t *table, chain []ir.Value, known uint32) bool {
	s := c.S
	loop := s.LoopOf(s.At(v).Block())
	if loop == 0 {
		return false
	}
	var scalars []ir.Src // the dynamic indices, then the components of the value
	var lens, strides []uint32
	for _, d := range chain[1:] {
		if s.At(d).DerefKind() == kind.DerefStruct || s.At(s.Src(d, 1).Val).IsConst() {
			continue
		}
		parent := s.DerefType(s.Src(d, 0).Val)
		scalars = append(scalars, s.Src(d, 1).X())
		lens, strides = append(lens, s.Types.At(parent).Len), append(strides, c.strideInTable(parent))
	}
	val := s.Src(v, 1)
	for i := range int(val.N) {
		r := val.Comp(i)
		if in := s.At(r.Val); in.IsALU(op.Vec2) || in.IsALU(op.Vec3) || in.IsALU(op.Vec4) {
			r = s.Src(r.Val, int(r.Swz.Comp(0))).X()
		}
		scalars = append(scalars, r)
	}
	var values []ir.Value // the scalars that are not constants
	for _, r := range scalars {
		if !s.At(r.Val).IsConst() {
			if s.At(r.Val).Comps != 1 {
				return false
			}
			values = append(values, r.Val)
		}
	}
	ok := make([]bool, len(values))
	if !c.trips.Trace(s, loop, maxFilling-c.filled, values, ok) || slices.Contains(ok, false) {
		return false
	}
	c.filled += c.trips.Entries
	c.Work.Spend(len(c.trips.Seen))
	bytes := uint32(dataBits(s.At(val.Val).Bits) / 8)
	row := make([]uint64, len(scalars))
	for seen := c.trips.Seen; len(seen) > 0; {
		for i, r := range scalars {
			if k, constant := s.ConstOf(r); constant {
				row[i] = k
				continue
			}
			row[i], seen = seen[0], seen[1:]
		}
		at, inside := known, true
		for i, n := range lens {
			inside = inside && row[i] < uint64(n)
			at += uint32(row[i]) * strides[i]
		}
		for i, k := range row[len(lens):] {
			if inside && s.Index(v, intrinsic.IxWriteMask)>>i&1 != 0 && !t.set(at+uint32(i)*bytes, k, int(bytes)) {
				return false
			}
		}
	}
	return true
}
