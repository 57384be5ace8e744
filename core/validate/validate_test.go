// SPDX-License-Identifier: MIT

package validate_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

const head = `shader compute "main"
workgroup_size 1 1 1
struct S1 "S" {
  f32x4 "v"
  [4 x f32, 0] "a"
}
reg 1 32x1
var @1 "x" ssbo S1
var @2 "t" function_temp S1 fn=1
var @3 "o" function_temp f32 fn=2
var @4 "im" image image(f32, 2d, rgba8, storage)
var @5 "in" shader_in f32
var @6 "m" ssbo matrix(f32x4, 4, 16, column)
var @7 "tx" uniform image(f32, 2d, unknown)
var @8 "sm" uniform sampler
var @9 "out" shader_out f32
fn 2 "other"(32x1) {
  b90:
    %90 = load_param.32
}
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x1)
    %1 = load_const.1 value=(0x1)
    %2 = load_const.32x4 value=(0x1, 0x2, 0x3, 0x4)
    %3 = load_const.64 value=(0x1, 0x0)
    %4 = deref_var.32 modes=ssbo type=S1 var=@1
    %5 = deref_var.32 modes=image type=image(f32, 2d, rgba8, storage) var=@4
    %6 = deref_struct.32 %4 modes=ssbo type=f32x4
    %7 = deref_struct.32 %4 modes=ssbo type=[4 x f32, 0] member=1
    %80 = deref_array.32 %7, %0 modes=ssbo type=f32
    %81 = deref_var.32 modes=uniform type=image(f32, 2d, unknown) var=@7
    %82 = deref_var.32 modes=uniform type=sampler var=@8
`

// negative has shaders with one mistake each, by the check that finds it: text after head; a closing brace is added.
var negative = []struct{ check, body string }{
	{"src-dominates", "%9 = ineg.32 %10\n%10 = ineg.32 %0\n"},
	{"src-dominates", "if %1 {\nb1:\n%9 = ineg.32 %0\n} else {\nb2:\n}\nb3:\n%10 = ineg.32 %9\n"},
	{"phi-first", "%9 = ineg.32 %0\nif %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%8 = ineg.32 %0\n%10 = phi.32 b1: %0, b2: %0\n"},
	{"phi-count", "if %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %0\n"},
	{"phi-pred", "if %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %0, b0: %0\n"},
	{"phi-twice", "if %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %0, b1: %0\n"},
	{"phi-bits", "if %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %0, b2: %3\n"},
	{"phi-dominates", "if %1 {\nb1:\n} else {\nb2:\n%9 = ineg.32 %0\n}\nb3:\n%10 = phi.32 b1: %9, b2: %0\n"},
	{"phi-deref", "if %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %5, b2: %5\n"},
	{"cond-bool", "if %0 {\nb1:\n} else {\nb2:\n}\nb3:\n"},
	{"cond-deref", "if %4 {\nb1:\n} else {\nb2:\n}\nb3:\n"},
	{"cond-set", "if none {\nb1:\n} else {\nb2:\n}\nb3:\n"},
	{"cond-dominates", "if %9 {\nb1:\n} else {\nb2:\n}\nb3:\n%9 = inot.1 %1\n"},
	{"src-set", "%9 = ineg.32 none\n"},
	{"src-whole", "call %2.yxzw callee=fn2\n"},
	{"alu-src-bits", "%9 = ishl.32 %0, %3\n"},
	{"alu-same-bits", "%9 = iadd.32 %0, %3\n"},
	{"alu-size", "%9 = iadd.1 %1, %1\n"},
	{"alu-out-bits", "%9 = iadd.64 %0, %0\n"},
	{"alu-comps", "%9 = vec2.32x3 %0, %0\n"},
	{"const-bits", "%9 = load_const.8 value=(0x100)\n"},
	{"call-count", "call callee=fn2\n"},
	{"call-size", "call %3 callee=fn2\n"},
	{"jump-loop", "jump_break\n"},
	{"intrinsic-result", "load_workgroup_id.x3\n"},
	{"intrinsic-dest", "%9 = load_workgroup_id.32x2\n"},
	{"intrinsic-bits", "%9 = elect.32\n"},
	{"intrinsic-bits", "%9 = load_scratch.1 %0\n"},
	{"intrinsic-src-bits", "%9 = vote_any.1 %0\n"},
	{"intrinsic-src-bits", "%9 = read_first_invocation.16 %0\n"},
	{"length-mode", "%9 = deref_cast.32 %0 modes=shared type=[0 x f32, 4]\n%10 = deref_buffer_array_length.32 %9\n"},
	{"length-type", "%9 = deref_buffer_array_length.32 %6\n"},
	{"access-type", "%9 = deref_atomic.32 %4, %0 atomic_op=iadd\n"},
	{"access-size", "%8 = load_const.64 value=(0x10, 0x0)\n%9 = deref_atomic.64 %80, %8 atomic_op=iadd\n"},
	{"intrinsic-stage", "%9 = load_frag_coord.32x4\n"},
	{"index-max", "%9 = quad_swap.32 %0 swap_dir=3\n"},
	{"write-mask", "store_ssbo.x1 %0, %0, %0 write_mask=2\n"},
	{"align", "%9 = load_ssbo.32 %0, %0 align_mul=3\n"},
	{"cluster-size", "%9 = reduce.32 %0 reduction_op=iadd cluster_size=3\n"},
	{"reg", "%9 = load_reg.32 reg=7\n"},
	{"reg-size", "%9 = load_reg.64 reg=1\n"},
	{"param", "%9 = load_param.32\n"},
	{"access-deref", "%9 = load_deref.32 %0\n"},
	{"access-deref", "store_deref.x1 %0, %0 write_mask=1\n"},
	{"access-deref", "copy_deref %6, %0\n"},
	{"access-deref", "%9 = deref_atomic.32 %0, %0 atomic_op=iadd\n"},
	{"access-deref", "%9 = deref_buffer_array_length.32 %0\n"},
	{"access-deref", "%9 = mov.32 %80\n%10 = load_deref.32 %9\n"},
	{"copy-type", "copy_deref %6, %80\n"},
	{"copy-type", "copy_deref %80, %6\n"},
	{"copy-wildcards", "%9 = deref_array_wildcard.32 %7 modes=ssbo type=f32\ncopy_deref %80, %9\n"},
	{"copy-wildcards", "%9 = deref_array_wildcard.32 %7 modes=ssbo type=f32\n%10 = deref_cast.32 %0 modes=ssbo type=[3 x f32, 4]\n%11 = deref_array_wildcard.32 %10 modes=ssbo type=f32\ncopy_deref %11, %9\n"},
	{"copy-size", "%9 = deref_cast.32 %0 modes=ssbo type=[0 x f32, 4]\ncopy_deref %9, %9\n"},
	{"access-type", "%9 = load_deref.32x4 %4\n"},
	{"access-size", "%9 = load_deref.32x2 %6\n"},
	{"target-deref", "%9 = image_samples.32 %0\n"},
	{"target-image", "%9 = image_samples.32 %4\n"},
	{"target-scalar", "%9 = image_samples.32 %2 form=index\n"},
	{"target-handle", "%8 = load_const.16 value=(0x10)\n    %9 = image_samples.32 %8 form=bindless\n"},
	{"target-storage", "%9 = image_samples.32 %81\n"},
	{"target-atomic", "%9 = image_atomic_add.32 %2, %0, %0, %5 image_dim=2d format=rgba8 texel_base=float\n"},
	{"derivative", "%9 = fddx.32 %0\n"},
	{"derivative", "%9 = tex_tex.32x4 coord: %2.xy, texture_deref: %81, sampler_deref: %82 dim=2d dest_base=float\n"},
	{"tex-order", "%9 = tex_txl.32x4 coord: %2.xy, texture_deref: %81, sampler_deref: %82, lod: %0 dim=2d dest_base=float\n"},
	{"tex-order", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, lod: %0, texture_deref: %81, sampler_deref: %82 dim=2d dest_base=float\n"},
	{"tex-texture", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, sampler_deref: %82 dim=2d dest_base=float\n"},
	{"tex-texture", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, texture_deref: %81, sampler_deref: %82, texture_handle: %0 dim=2d dest_base=float\n"},
	{"tex-sampler", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, texture_deref: %81, sampler_deref: %82, sampler_handle: %0 dim=2d dest_base=float\n"},
	{"tex-handle", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, sampler_deref: %82, texture_handle: %2.xy dim=2d dest_base=float\n"},
	{"tex-coord", "%9 = tex_txl.32x4 lod: %0, texture_deref: %81, sampler_deref: %82 dim=2d dest_base=float\n"},
	{"tex-coord", "%9 = tex_txs.32x2 coord: %2.xy, texture_deref: %81 dim=2d dest_base=uint\n"},
	{"tex-sampler", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, texture_deref: %81 dim=2d dest_base=float\n"},
	{"tex-sampler", "%9 = tex_txf.32x4 coord: %2.xy, texture_deref: %81, sampler_deref: %82 dim=2d dest_base=float\n"},
	{"tex-comparator", "%9 = tex_txl.32x4 coord: %2.xy, comparator: %0, lod: %0, texture_deref: %81, sampler_deref: %82 dim=2d dest_base=float\n"},
	{"tex-derivatives", "%9 = tex_txd.32x4 coord: %2.xy, ddx: %2.xy, texture_deref: %81, sampler_deref: %82 dim=2d dest_base=float\n"},
	{"tex-sample", "%9 = tex_txf_ms.32x4 coord: %2.xy, texture_deref: %81 dim=2d dest_base=float\n"},
	{"tex-sparse", "%9 = tex_txs.32x3 lod: %0, texture_deref: %81 dim=2d flags=sparse dest_base=uint\n"},
	{"tex-sparse", "%9 = tex_txl.32 coord: %2.xy, lod: %0, texture_deref: %81, sampler_deref: %82 dim=2d flags=sparse dest_base=float\n"},
	{"tex-component", "%9 = tex_tg4.32x4 coord: %2.xy, texture_deref: %81, sampler_deref: %82 dim=2d dest_base=float component=4\n"},
	{"tex-texture-deref", "%9 = tex_txf.32x4 coord: %2.xy, texture_deref: %0 dim=2d dest_base=float\n"},
	{"tex-sampler-deref", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, texture_deref: %81, sampler_deref: %4 dim=2d dest_base=float\n"},
	{"tex-image", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, texture_deref: %5, sampler_deref: %82 dim=2d dest_base=float\n"},
	{"tex-dim", "%9 = tex_txf.32x4 coord: %2.xyz, texture_deref: %81 dim=3d dest_base=float\n"},
	{"tex-sampler-type", "%9 = tex_txl.32x4 coord: %2.xy, lod: %0, texture_deref: %81, sampler_deref: %81 dim=2d dest_base=float\n"},
	{"src-comp", "%9 = tex_txf.32x4 coord: %0, texture_deref: %81 dim=2d dest_base=float\n"},
	{"phi-deref", "if %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %81, b2: %81\n"},
	{"phi-deref", "%83 = deref_var.32 modes=shader_in type=f32 var=@5\nif %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %0, b2: %83\n"},
	{"phi-deref", "%83 = deref_var.32 modes=shader_out type=f32 var=@9\nif %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %83, b2: %0\n"},
	{"result-comps", "%9 = undef.32x6\n"},
	{"result-comps", "%9 = undef.32x7\n"},
	{"result-comps", "%9 = undef.32x15\n"},
	{"field-var", "%9 = deref_var.32 modes=ssbo type=S1\n"},
	{"deref-modes", "%9 = deref_cast.32 %0 type=f32\n"},
	{"deref-var-mode", "%9 = deref_var.32 modes=ubo type=S1 var=@1\n"},
	{"deref-var-type", "%9 = deref_var.32 modes=ssbo type=f32 var=@1\n"},
	{"deref-scope", "%9 = deref_var.32 modes=function_temp type=f32 var=@3\n"},
	{"deref-parent", "%9 = deref_struct.32 %0 modes=ssbo type=f32x4\n"},
	{"deref-size", "%9 = deref_struct.64 %4 modes=ssbo type=f32x4\n"},
	{"deref-parent-mode", "%9 = deref_struct.32 %4 modes=ubo type=f32x4\n"},
	{"deref-struct", "%9 = deref_struct.32 %6 modes=ssbo type=f32x4\n"},
	{"deref-member", "%9 = deref_struct.32 %4 modes=ssbo type=f32x4 member=2\n"},
	{"deref-member-type", "%9 = deref_struct.32 %4 modes=ssbo type=f32 member=1\n"},
	{"deref-array", "%9 = deref_array.32 %4, %0 modes=ssbo type=f32\n"},
	{"deref-array", "%9 = deref_array_wildcard.32 %6 modes=ssbo type=f32\n"},
	{"deref-array", "%9 = deref_array.32 %80, %0 modes=ssbo type=f32\n"},
	{"deref-array", "%9 = deref_array_wildcard.32 %4 modes=ssbo type=f32x4\n"},
	{"deref-elem-type", "%9 = deref_array_wildcard.32 %7 modes=ssbo type=u32\n"},
	{"deref-elem-type", "%9 = deref_array.32 %6, %0 modes=ssbo type=u32\n"},
	{"deref-elem-type", "%9 = deref_array.32 %7, %0 modes=ssbo type=f32x4\n"},
	{"deref-index-bits", "%9 = deref_array.32 %7, %3 modes=ssbo type=f32\n"},
	{"deref-ptr", "%9 = deref_ptr_as_array.32 %6, %0 modes=ssbo type=f32x4\n"},
	{"deref-ptr", "%9 = deref_ptr_as_array.32 %4, %0 modes=ssbo type=S1\n"},
	{"deref-ptr", "%9 = deref_array_wildcard.32 %7 modes=ssbo type=f32\n%10 = deref_ptr_as_array.32 %9, %0 modes=ssbo type=f32\n"},
	{"deref-index-bits", "%9 = deref_ptr_as_array.32 %80, %3 modes=ssbo type=f32\n"},
	{"deref-ptr-type", "%9 = deref_cast.32 %0 modes=ssbo type=f32\n%10 = deref_ptr_as_array.32 %9, %0 modes=ssbo type=f32x4\n"},
	{"cast-align", "%9 = deref_cast.32 %0 modes=ssbo type=f32 align_mul=3\n"},
	{"cast-align-offset", "%9 = deref_cast.32 %0 modes=ssbo type=f32 align_offset=4\n"},
	{"cast-align-offset", "%9 = deref_cast.32 %0 modes=ssbo type=f32 align_mul=4 align_offset=4\n"},
	{"cast-modes", "%9 = deref_cast.32 %4 modes=ubo type=f32\n"},
	{"cast-generic", "%9 = deref_cast.32 %0 modes=ubo|shared type=f32\n"},
}

func shader(t *testing.T, body string) *ir.Shader {
	t.Helper()
	s, err := text.Parse([]byte(head + body + "}\n"))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return s
}

// broken has shaders that the text format cannot express.
var broken = map[string]func(s *ir.Shader){
	"entry":          func(s *ir.Shader) { *s = *ir.New() },
	"workgroup-size": func(s *ir.Shader) { s.Info.WorkgroupSize[1] = 0 },
	"derivative-group": func(s *ir.Shader) {
		s.Info.Modes, s.Info.WorkgroupSize = kind.StageModeDerivativeGroupLinear, [3]uint32{6, 3, 1}
	},
	"var-mode": func(s *ir.Shader) { s.Var(1).Mode = kind.ModeSSBO | kind.ModeUBO },
	"var-zero": func(s *ir.Shader) { s.Var(2).ZeroInit = true },
	"var-bool": func(s *ir.Shader) {
		s.Var(1).Mode, s.Var(1).Type = kind.ModeShaderIn, s.Types.Array(s.Types.Scalar(ir.TypeBool, 1), 2, 0)
	},
	"var-func":     func(s *ir.Shader) { s.Var(2).Func = 0 },
	"kind":         func(s *ir.Shader) { add(s, kind.Count, 0, 0, 0) },
	"opcode":       func(s *ir.Shader) { add(s, kind.Deref, 99, 0, 0) },
	"no-result":    func(s *ir.Shader) { s.At(add(s, kind.Call, 0, 0, 1)).Bits = 32 },
	"result":       func(s *ir.Shader) { add(s, kind.Undef, 0, 0, 0) },
	"result-bits":  func(s *ir.Shader) { s.At(add(s, kind.Undef, 0, 0, 0)).Bits = 33 },
	"result-comps": func(s *ir.Shader) { s.At(add(s, kind.Undef, 0, 0, 0)).Bits = 32 },
	"src-count":    func(s *ir.Shader) { sized(s, add(s, kind.ALU, uint16(op.INeg), 2, 0)) },
	"field-count":  func(s *ir.Shader) { sized(s, add(s, kind.LoadConst, 0, 0, 2)) },
	"field-enum":   func(s *ir.Shader) { tex(s, kind.FieldTexDim, 99) },
	"field-mask":   func(s *ir.Shader) { tex(s, kind.FieldTexFlags, 1<<30) },
	"field-bool": func(s *ir.Shader) {
		word(s, find(s, kind.Deref, uint16(kind.DerefArray)), kind.FieldDerefArrayInBounds, 2)
	},
	"field-type":     func(s *ir.Shader) { word(s, find(s, kind.Deref, uint16(kind.DerefVar)), kind.FieldDerefType, 9999) },
	"field-func":     func(s *ir.Shader) { word(s, add(s, kind.Call, 0, 0, 1), 0, 77) },
	"no-result-uses": func(s *ir.Shader) { readsBarrier(s) },
	"src-comp":       func(s *ir.Shader) { swizzled(s) },
	"jump-last":      func(s *ir.Shader) { add(s, kind.Jump, uint16(kind.JumpReturn), 0, 0); sized(s, addEnd(s)) },
	"index-mask":     func(s *ir.Shader) { barrier(s, 2, 1<<20) },
	"index-enum":     func(s *ir.Shader) { barrier(s, 0, 99) },
	"cond-comp":      func(s *ir.Shader) { condComp(s) },
	"field-block":    func(s *ir.Shader) { s.Words(phi(s))[0] = uint32(s.NextNode(entryBlock(s))) },
	"slots": func(s *ir.Shader) {
		s.Info.Stage = kind.StageFragment
		b := build.New(s)
		b.AtEnd(entryBlock(s))
		b.LoadInput(1, 32, b.Imm(0), 1, 1<<14, 0, kind.BaseUint, 0, kind.BuiltinNone, 0)
	},
	"index-bool": func(s *ir.Shader) {
		b := build.New(s)
		b.AtEnd(entryBlock(s))
		d := s.All(find(s, kind.Deref, uint16(kind.DerefVar)) + 1)
		s.SetIndex(b.ImageSamples(32, d, kind.Dim2D, false, 0, 0, kind.FormDeref).Val, intrinsic.IxImageArray, 2)
	},
	"param-size": func(s *ir.Shader) { s.At(s.First(s.FirstBlock(s.Entry() - 1))).Bits = 64 },

	"list-start":      func(s *ir.Shader) { phi(s); set(record(s, ifOf(s)), "head", [2]ir.Node{}) },
	"list-end":        func(s *ir.Shader) { phi(s); set(record(s, ifOf(s)), "next", ir.Node(0)) },
	"list-alternates": func(s *ir.Shader) { s.SplitBlock(entryBlock(s), 0) },
	"node-parent":     func(s *ir.Shader) { phi(s); set(record(s, s.Then(ifOf(s))), "parent", entryBlock(s)) },
	"node-kind":       func(s *ir.Shader) { phi(s); set(record(s, ifOf(s)), "kind", ir.NodeFunc) },
	"block-link":      func(s *ir.Shader) { set(reflect.ValueOf(s.At(s.First(entryBlock(s)))).Elem(), "block", ir.Node(1)) },
}

// record returns the shader's record of a node. No method lets a caller corrupt it.
func record(s *ir.Shader, n ir.Node) reflect.Value {
	return reflect.ValueOf(s).Elem().FieldByName("nodes").Index(int(n))
}

// set changes an unexported field.
func set(rec reflect.Value, field string, to any) {
	f := rec.FieldByName(field)
	reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Set(reflect.ValueOf(to))
}

// phi adds an if and a phi after it.
func phi(s *ir.Shader) ir.Value {
	b := build.New(s)
	b.AtEnd(entryBlock(s))
	c := b.True()
	n := s.InsertIf(entryBlock(s), c)
	v := s.New(kind.Phi, 0, 2, 2)
	sized(s, v)
	for i, arm := range []ir.Node{s.Then(n), s.Else(n)} {
		s.SetSrc(v, i, ir.Src{Val: s.First(entryBlock(s)), N: 1})
		s.Words(v)[i] = uint32(arm)
	}
	b.AtEnd(s.NextNode(n))
	b.Insert(v)
	return v
}

// ifOf returns the if after the first block.
func ifOf(s *ir.Shader) ir.Node { return s.NextNode(entryBlock(s)) }

func entryBlock(s *ir.Shader) ir.Node { return s.FirstBlock(s.Entry()) }

func add(s *ir.Shader, k kind.Kind, sub uint16, nsrc, naux int) ir.Value {
	b := ir.NewBuilder(s)
	b.AtEnd(entryBlock(s))
	v := s.New(k, sub, nsrc, naux)
	b.Insert(v)
	return v
}

func addEnd(s *ir.Shader) ir.Value {
	v := s.New(kind.Undef, 0, 0, 0)
	b := ir.NewBuilder(s)
	b.After(s.Last(entryBlock(s)))
	b.Insert(v)
	return v
}

func sized(s *ir.Shader, v ir.Value) { s.At(v).Bits, s.At(v).Comps = 32, 1 }

func word(s *ir.Shader, v ir.Value, i int, w uint32) { s.Words(v)[i] = w }

func find(s *ir.Shader, k kind.Kind, sub uint16) ir.Value {
	for v := range s.Instrs(entryBlock(s)) {
		if s.At(v).Kind == k && s.At(v).Op == sub {
			return v
		}
	}
	panic("not there")
}

func tex(s *ir.Shader, field int, w uint32) {
	b := build.New(s)
	b.AtEnd(entryBlock(s))
	r := b.TexTxs(1, 32, kind.Dim2D, 0, kind.BaseFloat, 0, nil)
	s.Words(r.Val)[field] = w
}

func readsBarrier(s *ir.Shader) {
	b := build.New(s)
	b.AtEnd(entryBlock(s))
	v := b.Barrier(0, 0, 0, 0)
	n := b.INeg(s.All(s.First(entryBlock(s))))
	s.SetSrc(n.Val, 0, ir.Src{Val: v, N: 1})
}

func swizzled(s *ir.Shader) {
	b := build.New(s)
	b.AtEnd(entryBlock(s))
	x := s.First(entryBlock(s))
	n := b.INeg(s.All(x))
	s.SetSrc(n.Val, 0, ir.Src{Val: x, Swz: ir.Broadcast(3), N: 1})
}

func barrier(s *ir.Shader, i int, w uint32) {
	b := build.New(s)
	b.AtEnd(entryBlock(s))
	s.Words(b.Barrier(0, 0, 0, 0))[i] = w
}

func condComp(s *ir.Shader) {
	b := build.New(s)
	b.AtEnd(entryBlock(s))
	c := b.True()
	s.InsertIf(entryBlock(s), ir.Src{Val: c.Val, Swz: ir.Broadcast(2), N: 1})
}

// TestD10EveryCheckRefuses: each check has a shader that it rejects.
func TestD10EveryCheckRefuses(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range negative {
		seen[n.check] = true
		expect(t, n.check, shader(t, n.body), n.body)
	}
	for check, change := range broken {
		seen[check] = true
		s := shader(t, "")
		change(s)
		expect(t, check, s, check)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`c\.(?:need\(.*|fail\(|dominates\(.*), ?"([a-z0-9-]+)"|c\.fail\("([a-z0-9-]+)"`)
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range names.FindAllStringSubmatch(string(src), -1) {
			name := m[1] + m[2]
			if !seen[name] {
				t.Errorf("%s: no shader in the tests is refused by check %q", f, name)
			}
		}
	}
}

func expect(t *testing.T, check string, s *ir.Shader, what string) {
	t.Helper()
	err := validate.Shader(s)
	var e *validate.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: accepted\n%s", check, what)
	} else if e.Check != check {
		t.Errorf("refused by %s, not %s: %v\n%s", e.Check, check, err, what)
	}
}

// wellFormed are bodies that no check rejects: the valid neighbors of the mistakes above.
var wellFormed = []string{
	"%9 = image_samples.32 %5\n",
	// Arrays, matrices and vectors have elements; vectors cannot have wildcards.
	"%9 = deref_array.32 %7, %0 modes=ssbo type=f32\n",
	"%9 = deref_array_wildcard.32 %7 modes=ssbo type=f32\n",
	"%9 = deref_array.32 %6, %0 modes=ssbo type=f32\n",
	"%9 = deref_var.32 modes=ssbo type=matrix(f32x4, 4, 16, column) var=@6\n%10 = deref_array.32 %9, %0 modes=ssbo type=f32x4\n%11 = deref_array_wildcard.32 %9 modes=ssbo type=f32x4\n",
	// Array elements, pointer steps and casts have neighbors.
	"%9 = deref_ptr_as_array.32 %80, %0 modes=ssbo type=f32\n%10 = deref_ptr_as_array.32 %9, %0 modes=ssbo type=f32\n",
	"%9 = deref_cast.32 %0 modes=ssbo type=f32\n%10 = deref_ptr_as_array.32 %9, %0 modes=ssbo type=f32\n",
	// Casts: any size of pointer, alignments, several modes, one common mode.
	"%9 = deref_cast.64 %3 modes=shared|global|function_temp|shader_temp type=f32 align_mul=16 align_offset=12\n%10 = deref_cast.64 %9 modes=shared type=u32\n",
	// Vectors of every valid size.
	"%9 = undef.32x5\n%10 = undef.16x8\n%11 = iadd.16x8 %10, %10\n%12 = undef.8x16\n",
	// Phis may join pointers to memory.
	"if %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %4, b2: %80\n",
	"%9 = deref_var.32 modes=function_temp type=S1 var=@2\n",
	"loop {\nb1:\nif %1 {\nb2:\njump_break\n} else {\nb3:\njump_continue\n}\nb4:\n}\nb5:\n",
}

func TestD10AcceptsWellFormed(t *testing.T) {
	for _, body := range wellFormed {
		if err := validate.Shader(shader(t, body)); err != nil {
			t.Errorf("%v\n%s", err, body)
		}
	}
}

// TestI02ImageTarget: an image intrinsic accesses a variable of image type.
func TestI02ImageTarget(t *testing.T) {
	expect(t, "target-image", shader(t, "%9 = image_load.32x4 %2, %0, %4\n"), "target is a buffer")
	expect(t, "target-deref", shader(t, "%9 = image_load.32x4 %2, %0, %0\n"), "target is a number")
	if err := validate.Shader(shader(t, "%9 = image_load.32x4 %2, %0, %5\n")); err != nil {
		t.Error(err)
	}
}

// TestI07NoImageInPhi: a value that refers to an image cannot be a phi, so that every access knows its image. There is
// no opcode for a pointer to a texel either.
func TestI07NoImageInPhi(t *testing.T) {
	phi := "if %1 {\nb1:\n} else {\nb2:\n}\nb3:\n%10 = phi.32 b1: %A, b2: %A\n"
	for _, deref := range []string{"%5", "%81", "%82"} {
		err := validate.Shader(shader(t, strings.ReplaceAll(phi, "%A", deref)))
		var e *validate.Error
		if !errors.As(err, &e) || e.Check != "phi-deref" {
			t.Errorf("a phi of %s gives %v", deref, err)
		}
	}
	if err := validate.Shader(shader(t, strings.ReplaceAll(phi, "%A", "%0"))); err != nil {
		t.Error(err)
	}
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		if name := id.String(); strings.Contains(name, "texel_pointer") {
			t.Errorf("%s makes a pointer to a texel", name)
		}
	}
}

// TestI04StoreValue: an image store writes four components, whatever the format.
func TestI04StoreValue(t *testing.T) {
	for _, format := range []string{"r8", "rg32f", "rgba8", "unknown"} {
		more := " image_dim=2d format=" + format + "\n"
		for _, size := range []string{"32", "32x2", "32x3"} {
			expect(t, "src-comp", shader(t, "%9 = undef."+size+"\nimage_store %2, %0, %9, %5"+more), size)
		}
		for _, value := range []string{"%2", "%0.xxxx", "%2.xyyx"} {
			if err := validate.Shader(shader(t, "image_store %2, %0, "+value+", %5"+more)); err != nil {
				t.Errorf("%s to %s: %v", value, format, err)
			}
		}
		expect(t, "intrinsic-dest", shader(t, "%9 = image_load.32x3 %2, %0, %5"+more), "a load of three components")
	}
}
