// SPDX-License-Identifier: MIT

package pipeline_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/legal"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
	"jacquard.example/generated/target"
)

// TestLowerings checks the lists of opcodes in the rows of lowering passes, on which the generator relies to accept
// rules: the opcodes that a pass takes and leaves.
func TestLowerings(t *testing.T) {
	for _, row := range legal.Lowerings {
		t.Run(row.Pass, func(t *testing.T) {
			p := pipeline.Known.Find(row.Pass)
			if p == nil {
				t.Fatal("there is no such pass")
			}
			if !p.Required {
				t.Error("the pass can be left out")
			}
			takes, leaves := map[string]bool{}, map[string]bool{}
			for o := range op.Op(op.Count) {
				for _, size := range execSizes(o) {
					made, taken := lowered(t, p, o, size)
					if taken {
						takes[form(o, size)] = true
						maps.Copy(leaves, made)
					}
				}
			}
			same(t, "takes", takes, row.Takes)
			same(t, "leaves", leaves, row.Leaves)
		})
	}
}

// same compares the opcodes of a pass with a list of its row.
func same(t *testing.T, key string, does map[string]bool, listed []legal.Sized) {
	t.Helper()
	said := map[string]bool{}
	for _, x := range listed {
		for _, n := range []uint8{0, 1, 8, 16, 32, 64} {
			if x.Sizes == 0 && n == 0 || n != 0 && x.Sizes&op.SizeOf(n) != 0 {
				said[form(x.Op, n)] = true
			}
		}
	}
	for _, f := range slices.Sorted(maps.Keys(does)) {
		if !said[f] {
			t.Errorf("%s: %s is not listed", key, f)
		}
	}
	for _, f := range slices.Sorted(maps.Keys(said)) {
		if !does[f] {
			t.Errorf("%s: %s is listed, but wrong for the pass", key, f)
		}
	}
}

// execSizes returns the sizes of an opcode's unsized operands, or 0 if it has none.
func execSizes(o op.Op) (out []uint8) {
	info := o.Info()
	if info.Sizes == 0 {
		return []uint8{0}
	}
	for _, n := range []uint8{1, 8, 16, 32, 64} {
		if info.Sizes&op.SizeOf(n) != 0 {
			out = append(out, n)
		}
	}
	return out
}

func form(o op.Op, size uint8) string {
	if size == 0 {
		return o.String()
	}
	return fmt.Sprintf("%s@%d", o, size)
}

// shaderOf returns a shader with one use of an opcode, on loaded values.
func shaderOf(t *testing.T, o op.Op, size uint8) (*ir.Shader, ir.Src) {
	t.Helper()
	s := ir.New()
	s.Info.Modes, s.Info.WorkgroupSize = kind.StageModeDerivativeGroupLinear, [3]uint32{4, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := build.New(s)
	b.AtEnd(s.FirstBlock(f))
	info := o.Info()
	var args []ir.Src
	for i := range int(info.NumSrc) {
		bits := info.Src[i].Bits
		if bits == 0 {
			bits = size
		}
		x := b.LoadUBO(max(info.Src[i].Comps, 1), max(bits, 8), b.Imm(0), b.Imm(uint32(128*i)), 0, 8, 0, 0, 0)
		if bits == 1 {
			x = b.INe(x, b.ImmN(8, 0))
		}
		args = append(args, x)
	}
	x := b.ALU(o, args...)
	result := x
	if s.At(x.Val).Bits == 1 {
		result = b.B2I32(x)
	}
	b.StoreSSBO(result, b.Imm(0), b.Imm(0), 1<<x.N-1, 0, 4, 0)
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return s, x
}

// lowered runs a pass on a shader with one use of an opcode. It returns the opcodes that the pass creates, and whether
// the opcode is gone.
func lowered(t *testing.T, p *pass.Pass, o op.Op, size uint8) (made map[string]bool, taken bool) {
	t.Helper()
	s, x := shaderOf(t, o, size)
	before := operations(s)
	c := pass.New(s)
	c.Options.Target = lacking()
	p.Run(c)
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	after := operations(s)
	taken = before[x.Val] == form(o, size) && after[x.Val] != before[x.Val]
	made = map[string]bool{}
	for v, f := range after {
		if before[v] != f {
			made[f] = true
		}
	}
	if !taken && len(made) > 0 {
		t.Errorf("%s: the pass makes %s although it leaves the opcode", form(o, size), strings.Join(slices.Sorted(maps.Keys(made)), ", "))
	}
	return made, taken
}

// lacking returns a made-up target like tgl for which all of the passes have something to do.
func lacking() *target.Target {
	t := *target.TGL
	t.Has &^= target.IntegerDivision
	t.Rewrite.Set(option.LowerDivision, true)
	return &t
}

// operations returns the opcodes of a shader with their sizes.
func operations(s *ir.Shader) map[ir.Value]string {
	out := map[ir.Value]string{}
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				in := s.At(v)
				if in.Kind != kind.ALU {
					continue
				}
				size := uint8(0)
				if info := in.ALUOp().Info(); info.Sizes != 0 {
					size = in.Bits
					for i := range int(in.NSrc) {
						if info.Src[min(i, len(info.Src)-1)].Bits == 0 {
							size = s.At(s.Src(v, i).Val).Bits
						}
					}
				}
				out[v] = form(in.ALUOp(), size)
			}
		}
	}
	return out
}

// TestProducts compiles every operation that rewrite rules create, at every size, for every target.
func TestProducts(t *testing.T) {
	for _, row := range legal.Products {
		t.Run(row.Target, func(t *testing.T) {
			machine, ok := target.ByName(row.Target)
			if !ok {
				t.Fatal("there is no such target")
			}
			for _, x := range row.Ops {
				for _, size := range execSizes(x.Op) {
					if size != 0 && x.Sizes&op.SizeOf(size) == 0 {
						continue
					}
					s, _ := shaderOf(t, x.Op, size)
					c := pass.New(s)
					c.Options.Target = machine
					if err := pipeline.ForTarget(c, nil); err != nil {
						t.Errorf("%s: %v", form(x.Op, size), err)
					}
				}
			}
		})
	}
}
