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
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// TestWideVectors: arithmetic on vectors of 5, 8 and 16, and their reductions,
// are scalar after the passes and give what they gave before.
func TestWideVectors(t *testing.T) {
	for _, n := range []int{5, 8, 16} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := ir.New()
			s.Info.WorkgroupSize = [3]uint32{1, 1, 1}
			f := s.NewFunc("main")
			s.SetEntry(f)
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
