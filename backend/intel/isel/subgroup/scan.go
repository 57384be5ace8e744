// SPDX-License-Identifier: MIT

package subgroup

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intel/scan"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/reduction"
)

// scanner combines the lanes of a run in place.
type scanner struct {
	c     *value.Context
	run   mir.Operand
	how   *scan.Form
	whole bool // the results of all lanes are needed, not only of the last lane in each cluster
}

// step combines n lanes starting at lane to, at a distance of step lanes, with lanes starting at lane from. If fixed is
// set, all are combined with lane from.
func (s *scanner) step(n, step, from, to int, fixed bool) {
	c, size := s.c, uint32(s.run.Type.Size())
	c.B.Exec, c.B.Chan, c.B.NoMask = uint8(n), 0, true
	dst := s.run.At(uint32(to) * size).WithStride(uint8(step))
	x := s.run.At(uint32(from) * size).WithStride(uint8(step))
	y := dst
	if fixed || n == 1 {
		x = x.WithStride(0)
	}
	if n == 1 {
		dst, y = dst.WithStride(1), y.WithStride(0)
	}
	if s.how.Multiply {
		s.multiply(dst, x, y)
		return
	}
	c.B.Emit(s.how.Op, dst, x, y).CMod = s.how.CMod
}

// multiply emits the low half of a product of 32-bit integers, from 32×16-bit products.
func (s *scanner) multiply(dst, x, y mir.Operand) {
	c := s.c
	n := c.F.GRF.Count(most * 4)
	lo, hi := mir.V(c.F.NewGRFs(n), isa.TypeUD), mir.V(c.F.NewGRFs(n), isa.TypeUD)
	c.B.Emit(isa.OpMul, lo, x, y.LowWords())
	c.B.Emit(isa.OpMul, hi, x, y.LowWords().At(2))
	c.B.Emit(isa.OpAdd, value.Upper(lo), lo.LowWords().At(2), hi.LowWords())
	c.B.Mov(dst, lo)
}

// tree combines each lane with the preceding lanes of its cluster. At each level, the lanes of each upper half
// are combined with the last lane of the lower half. Unless all results are needed, only the inputs of the last
// lanes of clusters are computed.
func (s *scanner) tree(cluster int) {
	width := s.c.Width
	chunk := min(width, most)
	for at := 0; at < width; at += chunk {
		if cluster > 1 {
			s.step(chunk/2, 2, at, at+1, false)
		}
		if cluster > 2 {
			if s.whole {
				s.step(chunk/4, 4, at+1, at+2, false)
			}
			s.step(chunk/4, 4, at+1, at+3, false)
		}
	}
	for half := 4; half < cluster; half *= 2 {
		for at := 0; at < width; at += 2 * half {
			last := at + 2*half - 1
			if s.whole {
				s.step(half, 1, at+half-1, at+half, true)
			} else {
				s.step(1, 1, at+half-1, last, true)
			}
		}
	}
}

// Reduction emits reductions and scans of 16- and 32-bit values in log2(lanes) steps, on a run whose inactive
// lanes hold the operation's identity.
func Reduction(c *value.Context, v ir.Value) {
	in := c.S.At(v)
	id := in.Intrinsic()
	r := kind.ReductionOp(c.S.Index(v, intrinsic.IxReductionOp))
	s := scanner{c: c, how: scan.Of(r), whole: id != intrinsic.Reduce}
	if s.how == nil || in.Bits != 16 && in.Bits != 32 {
		c.Fail(v, "%s of %d bits by %v must be lowered before selection", id, in.Bits, r)
		return
	}
	info := reduction.Of(r)
	t := value.TypeOf(info.Data, in.Bits)
	unit := mir.ImmOp(uint32(info.Unit(in.Bits)), t)
	lead := 0
	if id == intrinsic.ExclusiveScan {
		lead = 1
	}
	c.B.Vector() // even if the result is uniform
	x := c.Plain(c.Use(c.Operand(v, intrinsic.RoleValue), t), t)
	s.run = laneRun(c, x, unit, lead)
	cluster := c.Width
	if id == intrinsic.Reduce {
		if k := int(c.S.Index(v, intrinsic.IxClusterSize)); k != 0 {
			cluster = min(cluster, k)
		}
	}
	s.tree(cluster)
	size := uint32(t.Size())
	if id == intrinsic.Reduce && c.IsUniform(v) {
		c.B.ScalarMode()
		c.B.Mov(c.Result(v, t), s.run.At(uint32(c.Width-1)*size).WithStride(0))
		return
	}
	dst := c.Result(v, t)
	if lead > 0 {
		c.B.Exec, c.B.Chan, c.B.NoMask = 1, 0, true
		s.run.Off -= size
		c.B.Mov(s.run, unit)
	}
	piece := min(c.Width, most)
	if lead > 0 {
		piece = int(c.F.GRF.Bytes() / size) // it begins in the preceding register
		piece = min(piece, c.Width, most)
	}
	for at := 0; at < c.Width; at += piece {
		from := s.run.At(uint32(at) * size)
		switch {
		case id != intrinsic.Reduce:
		case cluster >= piece:
			from = s.run.At(uint32(at&^(cluster-1)+cluster-1) * size).WithStride(0)
		default:
			from = s.run.At(uint32(at+cluster-1)*size).WithRegion(uint(cluster), uint(cluster), 0)
			if cluster == 1 {
				from = s.run.At(uint32(at) * size)
			}
		}
		c.B.Exec, c.B.Chan, c.B.NoMask = uint8(piece), uint8(at), false
		to := dst
		to.Slice(uint32(at), piece)
		c.B.Mov(to, from)
	}
}
