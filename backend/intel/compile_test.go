// SPDX-License-Identifier: MIT

package intel_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/build"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// newShader returns a shader with workgroups of size invocations and an empty main function, and a builder at
// its end.
func newShader(size uint32) (*ir.Shader, *build.Builder) {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{size, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := build.New(s)
	b.AtEnd(s.FirstBlock(f))
	return s, b
}

// globalID returns the lowered form of gl_GlobalInvocationID.x.
func globalID(b *build.Builder, size uint32) ir.Src {
	local := b.IAdd(b.IMul(b.LoadSubgroupID(32), b.LoadSubgroupSize(32)), b.LoadSubgroupInvocation(32))
	return b.IAdd(b.IMul(b.LoadWorkgroupID(32).Comp(0), b.Imm(size)), local)
}

func saxpy() *ir.Shader {
	s, b := newShader(128)
	s.Info.PushConstantSize = 8
	first := s.FirstBlock(s.Entry())
	id := globalID(b, 128)
	n := b.LoadPushConstant(1, 32, b.Imm(0), 0, 4, 4, 0)
	cond := b.ULt(id, n)
	n2 := s.InsertIf(first, cond)
	b.AtEnd(s.Then(n2))
	addr := b.IShl(id, b.Imm(2))
	x := b.LoadSSBO(1, 32, b.Imm(0), addr, 0, 4, 0)
	y := b.LoadSSBO(1, 32, b.Imm(1), addr, 0, 4, 0)
	a := b.LoadPushConstant(1, 32, b.Imm(4), 0, 4, 4, 0)
	b.StoreSSBO(b.FFma(a, x, y), b.Imm(1), addr, 1, 0, 4, 0)
	return s
}

func compile(t *testing.T, s *ir.Shader, simd, buffers int) *intel.Binary {
	t.Helper()
	var trace strings.Builder
	bin, err := intel.Compile(s, intel.Options{Target: target.TGL, SIMD: simd, Buffers: buffers, Verify: true,
		Trace: func(pass string, u *mir.Unit, _ time.Duration) {
			trace.WriteString("== " + pass + "\n" + u.Func.String())
		}})
	if os.Getenv("MIR") != "" {
		t.Log(trace.String())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, trace.String())
	}
	return bin
}

func words(xs ...uint32) []byte {
	var b []byte
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// run executes a binary on the EU model.
func run(t *testing.T, bin *intel.Binary, groups uint32, push []byte, surfaces ...*eu.Surface) {
	t.Helper()
	_, err := eu.Run(context.Background(), &eu.Dispatch{
		Program: eu.Load(target.TGL, bin.Code), SIMD: bin.SIMD, Groups: [3]uint32{groups, 1, 1}, LocalSize: bin.ABI.WorkgroupSize,
		Surfaces: surfaces, SLMSize: int(bin.ABI.SharedBytes), ScratchPerThread: int(bin.ABI.ScratchBytes),
		Payload: eu.ComputePayload(abi.JacquardCS, push), Options: eu.Options{Poison: true, Undefined: true, Addresses: true},
	})
	if err != nil {
		var dis strings.Builder
		_ = isatext.Disassemble(isa.TGL, bin.Code, &dis)
		t.Fatalf("SIMD%d: %v\n%s", bin.SIMD, err, dis.String())
	}
}

func TestSaxpy(t *testing.T) {
	for _, simd := range []int{8, 16, 32} {
		bin := compile(t, saxpy(), simd, 2)
		const n, total = 200, 256
		x, y := make([]byte, 4*total), make([]byte, 4*total)
		for i := range total {
			binary.LittleEndian.PutUint32(x[4*i:], math.Float32bits(float32(i)))
			binary.LittleEndian.PutUint32(y[4*i:], math.Float32bits(float32(10*i)))
		}
		run(t, bin, 2, words(n, math.Float32bits(3)), &eu.Surface{Data: x}, &eu.Surface{Data: y})
		for i := range total {
			want := float32(10 * i)
			if i < n {
				want += 3 * float32(i)
			}
			if got := math.Float32frombits(binary.LittleEndian.Uint32(y[4*i:])); got != want {
				t.Fatalf("SIMD%d: y[%d] = %v, want %v", simd, i, got, want)
			}
		}
		t.Logf("SIMD%d: %+v", simd, bin.Stats)
	}
}
