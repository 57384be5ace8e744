// SPDX-License-Identifier: MIT

package randprog

import (
	"fmt"
	"strings"
)

// The operations over a subgroup involve the active invocations: those reaching the statement together by structured
// control flow. Where an operation reads an inactive invocation's value, which SPIR-V leaves undefined, the GLSL text
// substitutes the reader's own value.

// reductions are the reductions over the active invocations, with the identity by type.
var reductions = []struct {
	name, c string
	ok      pred
	id      func(s Scalar) uint64
	float   func(*Expr, []bound) bound
	limit   *bound
}{
	{"Add", "acc + x", aNumber, func(Scalar) uint64 { return 0 }, bMany, nil},
	{"Mul", "acc * x", aNumber, func(s Scalar) uint64 {
		if s.Kind == Float {
			return s.BitsOf(1)
		}
		return 1
	}, bUnit, &bound{0, 0}},
	{"Min", "x < acc ? x : acc", aNumber, func(s Scalar) uint64 {
		if s.Kind == Int {
			return s.Mask() >> 1
		}
		return s.Mask()
	}, bSame, nil},
	{"Max", "x > acc ? x : acc", aNumber, func(s Scalar) uint64 {
		if s.Kind == Int {
			return s.Mask()>>1 + 1
		}
		return 0
	}, bSame, nil},
	{"And", "acc & x", notFloat, Scalar.Mask, nil, nil},
	{"Or", "acc | x", notFloat, func(Scalar) uint64 { return 0 }, nil, nil},
	{"Xor", "acc ^ x", notFloat, func(Scalar) uint64 { return 0 }, nil, nil},
}

func notFloat(t *Type) bool { return flat(t) && t.Base.Kind != Float }

// bMany bounds sums of up to 64 terms.
func bMany(_ *Expr, a []bound) bound { return bound{a[0].m + 6, a[0].k} }

// subOps are the operations over subgroups.
var subOps = makeSubOps()

func makeSubOps() []*Op {
	uvec4 := vectorType(U32, 4)
	ballotArg := func(result *Type) func(*gen, *Type) []*Type {
		return func(_ *gen, t *Type) []*Type {
			if !t.Same(result) {
				return nil
			}
			return []*Type{uvec4}
		}
	}
	one := scalarType(U32)
	boolOf := func(arg func(g *gen) []*Type) func(*gen, *Type) []*Type {
		return func(g *gen, t *Type) []*Type {
			if !bool1(t) {
				return nil
			}
			return arg(g)
		}
	}
	read := func(name, glsl, source string) *Op { // reads another invocation's value, if that is active
		return &Op{Name: name, Subgroup: true, Ext: "ballot",
			Helper: "$T h$#($T x, uint i) { uint k = " + source + "; uvec4 b = subgroupBallot(true); $T y = " + glsl + "; " +
				"return k < gl_SubgroupSize && subgroupBallotBitExtract(b, k & (gl_SubgroupSize - 1u)) ? y : x; }",
			GLSL: "h$#($0, $1)", Float: bSame}
	}
	n := "gl_SubgroupInvocationID"
	mask := "(gl_SubgroupSize - 1u)"
	with := func(o *Op, ext, c string) *Op {
		o.Ext += " " + ext
		o.C = "SG_READ($m, $d, $0, $1, $c, " + c + ")"
		o.Args = func(_ *gen, t *Type) []*Type {
			if !flat(t) {
				return nil
			}
			return []*Type{t, one}
		}
		return o
	}
	out := []*Op{
		{Name: "elect", GLSL: "subgroupElect()", C: "SG_ALL($m, $d, l == __builtin_ctzll(g))", Args: boolOf(func(*gen) []*Type { return []*Type{} }), Ext: "basic"},
		{Name: "all", GLSL: "subgroupAll($0)", C: "SG_VOTE($m, $d, $0, n == __builtin_popcountll(g))", Args: boolOf(func(*gen) []*Type { return []*Type{scalarType(Boolean)} }), Ext: "vote"},
		{Name: "any", GLSL: "subgroupAny($0)", C: "SG_VOTE($m, $d, $0, n > 0)", Args: boolOf(func(*gen) []*Type { return []*Type{scalarType(Boolean)} }), Ext: "vote"},
		{Name: "all_equal", GLSL: "subgroupAllEqual($0)", Args: boolOf(func(g *gen) []*Type {
			for {
				if s := g.scalar(); s.Kind != Float { // it is unspecified whether zeros of both signs are equal
					return []*Type{vectorType(s, 1+g.r.IntN(4))}
				}
			}
		}), Ext: "vote"},
		{Name: "broadcast_first", GLSL: "subgroupBroadcastFirst($0)", C: "SG_ALL($m, $d, $0[__builtin_ctzll(g)])", Args: same(1, flat), Ext: "ballot", Float: bSame},
		{Name: "ballot", GLSL: "subgroupBallot($0)", Args: func(_ *gen, t *Type) []*Type {
			if !t.Same(uvec4) {
				return nil
			}
			return []*Type{scalarType(Boolean)}
		}, Ext: "ballot"},
		{Name: "inverse_ballot", GLSL: "subgroupInverseBallot(subgroupBallot($0))", C: "SG_ALL($m, $d, $0[l])", Args: boolOf(func(*gen) []*Type { return []*Type{scalarType(Boolean)} }), Ext: "ballot"},
		{Name: "ballot_bit_extract", GLSL: "subgroupBallotBitExtract($0, $1 & 7u)", C: "SG_BITS($m, $d, $L, $H, b >> ($1[l] & 7) & 1)", Args: func(_ *gen, t *Type) []*Type {
			if !bool1(t) {
				return nil
			}
			return []*Type{uvec4, one}
		}, Ext: "ballot"},
		{Name: "ballot_bit_count", GLSL: "subgroupBallotBitCount($0)", C: "SG_BITS($m, $d, $L, $H, __builtin_popcountll(b & all))", Args: ballotArg(one), Ext: "ballot"},
		{Name: "ballot_inclusive", GLSL: "subgroupBallotInclusiveBitCount($0)", C: "SG_BITS($m, $d, $L, $H, __builtin_popcountll(b & (2ull << (l - s)) - 1))", Args: ballotArg(one), Ext: "ballot"},
		{Name: "ballot_exclusive", GLSL: "subgroupBallotExclusiveBitCount($0)", C: "SG_BITS($m, $d, $L, $H, __builtin_popcountll(b & (1ull << (l - s)) - 1))", Args: ballotArg(one), Ext: "ballot"},
		{Name: "ballot_find_lsb", GLSL: "subgroupBallotFindLSB($0 | gl_SubgroupEqMask)", C: "SG_BITS($m, $d, $L, $H, __builtin_ctzll(b | 1ull << (l - s)))", Args: ballotArg(one), Ext: "ballot"},
		{Name: "ballot_find_msb", GLSL: "subgroupBallotFindMSB($0 | gl_SubgroupEqMask)", C: "SG_BITS($m, $d, $L, $H, 63 - __builtin_clzll((b & all) | 1ull << (l - s)))", Args: ballotArg(one), Ext: "ballot"},
		with(read("broadcast", "subgroupBroadcast(x, 5)", "5u"), "ballot", "5"),
		with(read("shuffle", "subgroupShuffle(x, k)", "i & "+mask), "shuffle", "i & (W - 1)"),
		with(read("shuffle_xor", "subgroupShuffleXor(x, i & "+mask+")", n+" ^ (i & "+mask+")"), "shuffle", "(l - s) ^ (i & (W - 1))"),
		with(read("shuffle_up", "subgroupShuffleUp(x, i & 3u)", n+" - (i & 3u)"), "shuffle_relative", "(u32)(l - s) - (i & 3)"),
		with(read("shuffle_down", "subgroupShuffleDown(x, i & 3u)", n+" + (i & 3u)"), "shuffle_relative", "(l - s) + (i & 3)"),
		with(read("quad_broadcast", "subgroupQuadBroadcast(x, 2u)", "("+n+" & ~3u) + 2u"), "quad", "((l - s) & ~3) + 2"),
		with(read("quad_swap_horizontal", "subgroupQuadSwapHorizontal(x)", n+" ^ 1u"), "quad", "(l - s) ^ 1"),
		with(read("quad_swap_vertical", "subgroupQuadSwapVertical(x)", n+" ^ 2u"), "quad", "(l - s) ^ 2"),
		with(read("quad_swap_diagonal", "subgroupQuadSwapDiagonal(x)", n+" ^ 3u"), "quad", "(l - s) ^ 3"),
	}
	for _, o := range out {
		o.Subgroup = true
		o.Name = "subgroup_" + o.Name
	}
	for _, r := range reductions {
		for _, how := range []string{"", "Inclusive", "Exclusive", "Clustered"} {
			o := &Op{Name: "subgroup_" + strings.ToLower(how+r.name), GLSL: "subgroup" + how + r.name + "($0)",
				Subgroup: true, Float: r.float, Limit: r.limit, Ext: "arithmetic"}
			id := r.id
			if how == "Clustered" {
				o.GLSL = "subgroupClustered" + r.name + "($0, 4)"
				o.Ext = "clustered"
			}
			o.C = fmt.Sprintf("SG_%s($m, $d, $0, $c, %s, $i)", strings.ToUpper(how+"Reduce"), r.c)
			o.identity = func(s Scalar) uint64 {
				if s.Kind == Float && how != "Exclusive" { // it is unused
					return 0
				}
				return id(s)
			}
			ok := r.ok
			if how == "Exclusive" && (r.name == "Min" || r.name == "Max") { // the identity is an infinity
				ok = func(t *Type) bool { return r.ok(t) && t.Base.Kind != Float }
			}
			o.Args = same(1, ok)
			out = append(out, o)
		}
	}
	return out
}

// subgroupBuiltins are the built-in variables that depend on subgroups.
var subgroupBuiltins = map[string]bool{}

// builtins are the variables that a program may read.
var builtins = func() []*Var {
	scalar := func(name, glsl, c string, uniform bool) *Var {
		return &Var{Name: name, GLSL: glsl, C: c, T: scalarType(U32), Class: Builtin, Uniform: uniform}
	}
	sub := func(v *Var) *Var { subgroupBuiltins[v.Name] = true; return v }
	lanes := func(name, c string) *Var {
		return &Var{Name: name, GLSL: name, C: c, T: vectorType(U32, 4), Class: Builtin}
	}
	return []*Var{
		scalar("lane", "gl_LocalInvocationIndex", "(u32)l", false),
		scalar("local_x", "gl_LocalInvocationID.x", "(u32)(l % LX)", false),
		scalar("local_y", "gl_LocalInvocationID.y", "(u32)(l / LX % LY)", false),
		scalar("local_z", "gl_LocalInvocationID.z", "(u32)(l / LX / LY)", false),
		scalar("global_x", "gl_GlobalInvocationID.x", "(u32)(wx * LX + l % LX)", false),
		scalar("group_x", "gl_WorkGroupID.x", "(u32)wx", true),
		scalar("group_y", "gl_WorkGroupID.y", "(u32)wy", true),
		scalar("groups_x", "gl_NumWorkGroups.x", "(u32)GX", true),
		scalar("size_x", "gl_WorkGroupSize.x", "(u32)LX", true),
		sub(scalar("subgroup_lane", "gl_SubgroupInvocationID", "(u32)(l % W)", false)),
		sub(scalar("subgroup_id", "gl_SubgroupID", "(u32)(l / W)", false)),
		sub(scalar("subgroup_size", "gl_SubgroupSize", "(u32)W", true)),
		sub(scalar("num_subgroups", "gl_NumSubgroups", "(u32)((N + W - 1) / W)", true)),
		sub(lanes("gl_SubgroupEqMask", "1ull << l % W")),
		sub(lanes("gl_SubgroupGeMask", "ALL & ~0ull << l % W")),
		sub(lanes("gl_SubgroupGtMask", "ALL & ~1ull << l % W")),
		sub(lanes("gl_SubgroupLeMask", "(2ull << l % W) - 1")),
		sub(lanes("gl_SubgroupLtMask", "(1ull << l % W) - 1")),
	}
}()
