// SPDX-License-Identifier: MIT

package intel_test

import (
	"encoding/binary"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// chosenPush returns a shader whose odd invocations read the push constant at an offset that comes from a
// buffer: a different one in each lane, or the same in all of them.
func chosenPush(uniform bool) *ir.Shader {
	s, b := newShader(64)
	s.Info.PushConstantSize = 64
	first := s.FirstBlock(s.Entry())
	id := globalID(b, 64)
	odd := b.INe(b.IAnd(id, b.Imm(1)), b.Imm(0))
	n := s.InsertIf(first, odd)
	b.AtEnd(s.Then(n))
	addr := b.IShl(id, b.Imm(2))
	where := addr
	if uniform {
		where = b.Imm(4)
	}
	off := b.LoadSSBO(1, 32, b.Imm(0), where, 0, 4, 0)
	pair := b.LoadPushConstant(2, 32, off, 4, 4, 0, 0)
	b.StoreSSBO(b.IAdd(pair.Comp(0), b.IShl(pair.Comp(1), b.Imm(16))), b.Imm(1), addr, 1, 0, 4, 0)
	return s
}

// TestChosenPush reads push constants at offsets known only at run time, indirectly from the registers that
// contain them. An offset past the last push constant returns an undefined value, but must access nothing else.
func TestChosenPush(t *testing.T) {
	push := make([]uint32, 16)
	for i := range push {
		push[i] = uint32(100 + i)
	}
	for _, uniform := range []bool{false, true} {
		for _, simd := range []int{8, 16, 32} {
			bin := compile(t, chosenPush(uniform), simd, 2)
			offsets, out := make([]byte, 4*64), make([]byte, 4*64)
			for i := range 64 {
				off := uint32(4 * (i * 5 % 14))
				if i%2 == 0 {
					off = 0xFFFF0000 // in lanes that do not read
				}
				binary.LittleEndian.PutUint32(offsets[4*i:], off)
			}
			run(t, bin, 1, words(push...), &eu.Surface{Data: offsets}, &eu.Surface{Data: out})
			for i := range 64 {
				at := i * 5 % 14
				if uniform {
					at = 5
				}
				want := push[at+1] + push[at+2]<<16
				if i%2 == 0 {
					want = 0
				}
				if got := binary.LittleEndian.Uint32(out[4*i:]); got != want {
					t.Fatalf("uniform %v, SIMD%d: invocation %d has %#x, want %#x", uniform, simd, i, got, want)
				}
			}
		}
	}
}

// TestGapsInPush: on machines that load push constants, only registers that the program reads are loaded. The others may be
// allocated to values that live at the same time.
func TestGapsInPush(t *testing.T) {
	loaded := 0
	for _, machine := range target.All {
		s, b := newShader(32)
		s.Info.PushConstantSize = 224
		addr := b.IShl(globalID(b, 32), b.Imm(2))
		for i, dword := range []uint32{1, 18, 20, 49} {
			b.StoreSSBO(b.LoadPushConstant(1, 32, b.Imm(4*dword), 0, 4, 4, 0), b.Imm(uint32(i)), addr, 1, 0, 4, 0)
		}
		_, err := intel.Compile(s, intel.Options{Target: machine, SIMD: 16, Buffers: 4, Verify: true,
			Trace: func(pass string, u *mir.Unit, _ time.Duration) {
				if pass != "select" {
					return
				}
				reads := map[int]bool{}
				f := u.Func
				for b := range f.Blocks {
					for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
						for k := range in.Src {
							if o := &in.Src[k]; o.File == mir.GRF {
								reads[int(o.Num+f.GRF.Of(o.Off))] = true
							}
						}
					}
				}
				for b := range f.Blocks {
					for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
						if !in.IsSend() || in.Msg.Name != message.PushRead {
							continue
						}
						loaded++
						for r := range int(in.Len[2]) {
							if !reads[int(in.Dst.Num)+r] {
								t.Errorf("%s: r%d is loaded, and not read", machine, int(in.Dst.Num)+r)
							}
						}
					}
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if loaded == 0 {
		t.Error("no machine loads push constants")
	}
}
