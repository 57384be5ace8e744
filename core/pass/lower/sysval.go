// SPDX-License-Identifier: MIT

package lower

import (
	"math/bits"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// ComputeSystemValues computes invocation IDs from the values that the machine provides: the workgroup ID, the number
// of the subgroup in it, and the lane. Invocations are numbered along x, then y, then z. In derivative groups of 2×2,
// four lanes form a block, and the blocks are numbered in this order. The device index is 0: the device is alone in its
// group.
func ComputeSystemValues(pc *pass.Context) bool {
	c := in(pc)
	return c.RewriteIntrinsics(func(v ir.Value) (ir.Src, bool) {
		c.B.Before(v)
		return c.systemValue(c.S.At(v).Intrinsic())
	})
}

func (c context) systemValue(id intrinsic.ID) (ir.Src, bool) {
	b := c.B
	size := c.S.Info.WorkgroupSize
	switch id {
	case intrinsic.LoadWorkgroupSize:
		return b.Const(32, uint64(size[0]), uint64(size[1]), uint64(size[2])), true
	case intrinsic.LoadLocalInvocationIndex:
		if c.quads() {
			id := c.localID()
			return b.IAdd(b.IMul(b.IAdd(b.IMul(id.Comp(2), b.Imm(size[1])), id.Comp(1)), b.Imm(size[0])), id.Comp(0)), true
		}
		return c.number(), true
	case intrinsic.LoadLocalInvocationID:
		return c.localID(), true
	case intrinsic.LoadGlobalInvocationID:
		return c.globalID(), true
	case intrinsic.LoadGlobalInvocationIndex:
		id, n := c.globalID(), b.LoadNumWorkgroups(32)
		w, h := b.IMul(n.Comp(0), b.Imm(size[0])), b.IMul(n.Comp(1), b.Imm(size[1]))
		return b.IAdd(b.IMul(b.IAdd(b.IMul(id.Comp(2), h), id.Comp(1)), w), id.Comp(0)), true
	case intrinsic.LoadDeviceIndex:
		return b.Imm(0), true
	case intrinsic.LoadNumSubgroups:
		if c.Options.SubgroupSize != 0 {
			n := c.Options.SubgroupSize
			return b.Imm((size[0]*size[1]*size[2] + n - 1) / n), true
		}
	case intrinsic.LoadSubgroupSize:
		if c.Options.SubgroupSize != 0 {
			return b.Imm(c.Options.SubgroupSize), true
		}
	}
	return ir.Src{}, false
}

// quads reports whether four lanes with consecutive numbers are a block of 2×2 invocations.
func (c context) quads() bool { return c.S.Info.Modes&kind.StageModeDerivativeGroupQuads != 0 }

// number returns the number of an invocation in its workgroup, computed from the subgroup and the lane.
func (c context) number() ir.Src {
	b := c.B
	if size := c.S.Info.WorkgroupSize; size[0]*size[1]*size[2] == 1 {
		return b.Imm(0) // uniform, unlike the lane's number
	}
	var n ir.Src
	if c.Options.SubgroupSize != 0 {
		n = b.Imm(c.Options.SubgroupSize)
	} else {
		n = b.LoadSubgroupSize(32)
	}
	return b.IAdd(b.IMul(b.LoadSubgroupID(32), n), b.LoadSubgroupInvocation(32))
}

func (c context) localID() ir.Src {
	b := c.B
	size := c.S.Info.WorkgroupSize
	i := c.number()
	if c.quads() {
		return c.inQuads(i)
	}
	x, i := c.divide(i, size[0], size[1]*size[2] == 1)
	y, z := c.divide(i, size[1], size[2] == 1)
	return b.Vec3(x, y, z)
}

// inQuads returns the position of invocation i in a workgroup whose quads are numbered along x, then y, then z. The
// lowest bits of i are the position in the quad.
func (c context) inQuads(i ir.Src) ir.Src {
	b := c.B
	size := c.S.Info.WorkgroupSize
	quad := b.UShr(i, b.Imm(2))
	x, quad := c.divide(quad, size[0]/2, size[1]*size[2] == 2)
	y, z := c.divide(quad, size[1]/2, size[2] == 1)
	place := func(k ir.Src, shift uint32) ir.Src {
		return b.IOr(b.IShl(k, b.Imm(1)), b.IAnd(b.UShr(i, b.Imm(shift)), b.Imm(1)))
	}
	return b.Vec3(place(x, 0), place(y, 1), z)
}

// divide returns i modulo n, and i / n. last is set if i is known to be below n.
func (c context) divide(i ir.Src, n uint32, last bool) (rem, quo ir.Src) {
	b := c.B
	switch {
	case last:
		return i, b.Imm(0)
	case n == 1:
		return b.Imm(0), i
	case n&(n-1) == 0:
		return b.IAnd(i, b.Imm(n-1)), b.UShr(i, b.Imm(uint32(bits.TrailingZeros32(n))))
	}
	q := b.UDiv(i, b.Imm(n))
	return b.ISub(i, b.IMul(q, b.Imm(n))), q
}

func (c context) globalID() ir.Src {
	b := c.B
	size := c.S.Info.WorkgroupSize
	group, local := b.LoadWorkgroupID(32), c.localID()
	var p [3]ir.Src
	for i := range p {
		p[i] = b.IAdd(b.IMul(group.Comp(i), b.Imm(size[i])), local.Comp(i))
	}
	return b.Vec3(p[0], p[1], p[2])
}
