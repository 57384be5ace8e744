// SPDX-License-Identifier: MIT

package interp

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

func systemValues(h *[intrinsic.Count]handler) {
	number := func(g *subgroup, l int) uint64 { return uint64(g.num*g.width + l) }
	size := func(g *subgroup) [3]uint64 {
		n := g.s.Info.WorkgroupSize
		return [3]uint64{uint64(n[0]), uint64(n[1]), uint64(n[2])}
	}
	local := func(g *subgroup, l int) [3]uint64 {
		n, i := size(g), number(g, l)
		if g.s.Info.Modes&kind.StageModeDerivativeGroupQuads == 0 {
			return [3]uint64{i % n[0], i / n[0] % n[1], i / n[0] / n[1]}
		}
		// A quad is a block of 2×2 invocations.
		quad, wide, high := i/4, n[0]/2, n[1]/2
		return [3]uint64{quad%wide*2 + i%2, quad/wide%high*2 + i/2%2, quad / wide / high}
	}
	index := func(g *subgroup, l int) uint64 {
		n, x := size(g), local(g, l)
		return (x[2]*n[1]+x[1])*n[0] + x[0]
	}
	vec := func(fn func(g *subgroup, l int) [3]uint64) handler {
		return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
			out := g.slot(v)
			m := ^uint64(0) >> (64 - in.Bits)
			for l := range g.width {
				if mask>>l&1 == 0 {
					continue
				}
				x := fn(g, l)
				for c := range int(in.Comps) {
					out[c*g.width+l] = x[c] & m
				}
			}
		}
	}
	one := func(fn func(g *subgroup, l int) uint64) handler {
		return vec(func(g *subgroup, l int) [3]uint64 { return [3]uint64{fn(g, l)} })
	}
	global := func(g *subgroup, l int) [3]uint64 {
		n, x := size(g), local(g, l)
		for i := range x {
			x[i] += uint64(g.id[i]) * n[i]
		}
		return x
	}
	u3 := func(x [3]uint32) [3]uint64 { return [3]uint64{uint64(x[0]), uint64(x[1]), uint64(x[2])} }
	h[intrinsic.LoadWorkgroupID] = vec(func(g *subgroup, l int) [3]uint64 { return u3(g.id) })
	h[intrinsic.LoadBaseWorkgroupID] = vec(func(g *subgroup, l int) [3]uint64 { return [3]uint64{} })
	h[intrinsic.LoadNumWorkgroups] = vec(func(g *subgroup, l int) [3]uint64 { return u3(g.call.Groups) })
	h[intrinsic.LoadWorkgroupSize] = vec(func(g *subgroup, l int) [3]uint64 { return size(g) })
	h[intrinsic.LoadLocalInvocationID] = vec(local)
	h[intrinsic.LoadGlobalInvocationID] = vec(global)
	h[intrinsic.LoadLocalInvocationIndex] = one(index)
	h[intrinsic.LoadGlobalInvocationIndex] = one(func(g *subgroup, l int) uint64 {
		n, x := size(g), global(g, l)
		w, d := n[0]*uint64(g.call.Groups[0]), n[1]*uint64(g.call.Groups[1])
		return (x[2]*d+x[1])*w + x[0]
	})
	h[intrinsic.LoadSubgroupSize] = one(func(g *subgroup, l int) uint64 { return uint64(g.width) })
	h[intrinsic.LoadSubgroupInvocation] = one(func(g *subgroup, l int) uint64 { return uint64(l) })
	h[intrinsic.LoadSubgroupID] = one(func(g *subgroup, l int) uint64 { return uint64(g.num) })
	h[intrinsic.LoadNumSubgroups] = one(func(g *subgroup, l int) uint64 {
		return uint64((int(g.total) + g.width - 1) / g.width)
	})
	h[intrinsic.LoadDeviceIndex] = one(func(g *subgroup, l int) uint64 { return 0 })
}
