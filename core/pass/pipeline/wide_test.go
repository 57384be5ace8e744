// SPDX-License-Identifier: MIT

package pipeline_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// TestWideVectors: arithmetic on vectors of 5, 8 and 16 components, and their reductions, are scalar after the passes
// and have the same results as before.
func TestWideVectors(t *testing.T) {
	for _, n := range []int{5, 8, 16} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := ir.New()
			s.Info.WorkgroupSize = [3]uint32{1, 1, 1}
			f := s.NewFunc("main")
			s.Func(f).Entry = true
			b := build.New(s)
			b.AtEnd(s.FirstBlock(f))
			var vecs [2]ir.Src
			for k := range vecs {
				parts := make([]ir.Src, n)
				for i := range parts {
					parts[i] = b.LoadSSBO(1, 32, b.Imm(0), b.Imm(uint32(k*n+i)*4), 0, 4, 0)
				}
				vecs[k] = pass.Vec(b, parts)
			}
			at := uint32(0)
			store := func(v ir.Src) {
				for i := range int(v.N) {
					x := v.Comp(i)
					if s.At(v.Val).Bits == 1 {
						x = b.B2I32(x)
					}
					b.StoreSSBO(x, b.Imm(1), b.Imm(at), 1, 0, 4, 0)
					at += 4
				}
			}
			x, y := vecs[0], vecs[1]
			store(b.ISub(b.IMul(x, y), b.IXor(y, x)))
			for _, name := range []string{"fdot", "ball_iequal", "bany_inequal", "ball_fequal", "bany_fnequal"} {
				if o, ok := op.ByName(fmt.Sprint(name, n)); ok {
					store(b.ALU(o, x, y))
					store(b.ALU(o, x, x))
				}
			}
			for _, name := range []string{"ball", "bany"} {
				if o, ok := op.ByName(fmt.Sprint(name, n)); ok {
					store(b.ALU(o, b.UGe(x, y)))
				}
			}
			if err := validate.Shader(s); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(s))
			}
			r := rand.New(rand.NewPCG(uint64(n), 1))
			in := make([]byte, 2*4*n)
			for i := 0; i < len(in); i += 4 {
				binary.LittleEndian.PutUint32(in[i:], []uint32{0x3f800000, 0x40000000, 0, 0x7fc00000, 5}[r.IntN(5)])
			}
			run := func() string {
				s.Info.Bindings = []ir.Binding{{Binding: 0, Mode: kind.ModeSSBO, Count: 1}, {Binding: 1, Mode: kind.ModeSSBO, Count: 1, Index: 1}}
				out := make([]byte, at)
				call := interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Buffers: []interp.Buffer{{Binding: 0, Data: in}, {Binding: 1, Data: out}}}
				if _, err := interp.Run(context.Background(), s, &call); err != nil {
					t.Fatalf("%v\n%s", err, text.Print(s))
				}
				return string(out)
			}
			want := run()
			if err := pass.New(s).Run(pipeline.Optimize, nil); err != nil {
				t.Fatal(err)
			}
			if err := validate.Shader(s); err != nil {
				t.Fatal(err)
			}
			if got := run(); got != want {
				t.Errorf("%x, not %x\n%s", got, want, text.Print(s))
			}
			after := string(text.Print(s))
			for _, wide := range []string{fmt.Sprint(".32x", n), fmt.Sprint(".1x", n), fmt.Sprint("vec", n)} {
				if strings.Contains(after, wide) {
					t.Errorf("%s is left:\n%s", wide, after)
				}
			}
		})
	}
}

// wideMemory passes a vector, whole and in part, through every kind of memory and a phi. T is the type, X its size and
// components, M and N are two masks of components, A is the mask of all.
const wideMemory = `shader compute "main"
workgroup_size 4 1 1
struct S1 "B" block {
  [8 x T, 128] "v" offset=0
}
struct S2 "P" block {
  T "v" offset=0
}
var @1 "b" ssbo S1
var @2 "s" shared [4 x T, 0]
var @3 "t" function_temp [4 x T, 0] fn=1
var @4 "u" ubo S1 binding=1
var @5 "p" push_constant S2
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x2)
    %2 = deref_var.32 modes=ssbo type=S1 var=@1
    %3 = deref_struct.32 %2 modes=ssbo type=[8 x T, 128]
    %4 = deref_array.32 %3, %0 modes=ssbo type=T
    %5 = deref_var.32 modes=ubo type=S1 var=@4
    %6 = deref_struct.32 %5 modes=ubo type=[8 x T, 128]
    %7 = deref_array.32 %6, %0 modes=ubo type=T
    %8 = deref_var.32 modes=push_constant type=S2 var=@5
    %9 = deref_struct.32 %8 modes=push_constant type=T
    %10 = load_deref.X %7
    %11 = load_deref.X %9
    %12 = ult.1 %0, %1
    if %12 {
    b1:
      %13 = iadd.X %10, %11
    } else {
    b2:
      %14 = ixor.X %10, %11
    }
    b3:
    %15 = phi.X b1: %13, b2: %14
    %16 = deref_var.32 modes=shared type=[4 x T, 0] var=@2
    %17 = deref_array.32 %16, %0 modes=shared type=T
    store_deref.xC %17, %10 write_mask=A
    store_deref.xC %17, %15 write_mask=M
    %18 = deref_var.32 modes=function_temp type=[4 x T, 0] var=@3
    %19 = deref_array.32 %18, %0 modes=function_temp type=T
    store_deref.xC %19, %11 write_mask=A
    store_deref.xC %19, %15 write_mask=N
    %20 = load_deref.X %17
    store_deref.xC %4, %20 write_mask=N
    %21 = load_const.32 value=(0x4)
    %22 = iadd.32 %0, %21
    %23 = deref_array.32 %3, %22 modes=ssbo type=T
    %24 = load_deref.X %19
    store_deref.xC %23, %24 write_mask=A
    store_deref.xC %23, %20 write_mask=M
    %25 = u2u64.64 %0
    %26 = load_const.64 value=(0x80, 0x0)
    %27 = imul.64 %25, %26
    %28 = load_const.64 value=(0x1000, 0x0)
    %29 = iadd.64 %27, %28
    %30 = load_global.X %29 align_mul=16
    %31 = ixor.X %15, %30
    store_global.xC %31, %29 write_mask=N align_mul=16
}
`

// TestWideMemory: vectors of every size pass through memory and phis, whole or in part, with the same results as before
// the passes.
func TestWideMemory(t *testing.T) {
	for _, bits := range []int{8, 16, 32, 64} {
		for _, n := range []int{2, 3, 4, 5, 8, 16} {
			all := uint32(1)<<n - 1
			src := strings.NewReplacer("[8 x T", fmt.Sprintf("[8 x u%dx%d", bits, n), "[4 x T",
				fmt.Sprintf("[4 x u%dx%d", bits, n), "=T", fmt.Sprintf("=u%dx%d", bits, n),
				"  T ", fmt.Sprintf("  u%dx%d ", bits, n), ".X", fmt.Sprintf(".%dx%d", bits, n), ".xC", fmt.Sprintf(".x%d", n),
				"=A", fmt.Sprint("=", all), "=M", fmt.Sprint("=", 0x2d6b&all), "=N", fmt.Sprint("=", 0xd2b5&all)).Replace(wideMemory)
			before, s := passtest.Parse(t, src), passtest.Parse(t, src)
			if err := pass.New(s).Run(pipeline.Compute, nil); err != nil {
				t.Fatal(err)
			}
			if err := validate.Shader(s); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(s))
			}
			var left [2]string
			for k, s := range []*ir.Shader{before, s} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(bits)))
				data := make([]byte, 3*1024+128)
				for i := range data {
					data[i] = byte(r.Uint32())
				}
				call := interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 4, Push: data[3072:], Buffers: []interp.Buffer{
					{Data: data[:1024]}, {Binding: 1, Data: data[1024:2048]}, {Set: 9, Address: 0x1000, Data: data[2048:3072]},
				}}
				if _, err := interp.Run(context.Background(), s, &call); err != nil {
					t.Fatalf("%v\n%s", err, text.Print(s))
				}
				left[k] = string(data)
			}
			if left[0] != left[1] {
				t.Errorf("vectors of %d of %d bits: the memory differs\n%s", n, bits, text.Print(s))
			}
		}
	}
}
