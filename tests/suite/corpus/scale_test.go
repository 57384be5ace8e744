// SPDX-License-Identifier: MIT

package corpus

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// longModule returns a compute module with a main function of n ifs, each of which passes a value to the next: plain
// control flow, phis, arithmetic and memory in proportion to n.
func longModule(n int) []byte {
	w := []uint32{0x07230203, 0x00010300, 0, 0, 0}
	ins := func(op uint32, args ...uint32) { w = append(append(w, op|uint32(len(args)+1)<<16), args...) }
	const (
		void, fn, main, u32, bool_, arr, block, pb, pu, buf, zero, one = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
		first                                                          = 13
	)
	ins(17, 1)                      // OpCapability Shader
	ins(14, 0, 1)                   // OpMemoryModel Logical GLSL450
	ins(15, 5, main, 0x6e69616d, 0) // OpEntryPoint GLCompute %main "main"
	ins(16, main, 17, 1, 1, 1)      // OpExecutionMode %main LocalSize 1 1 1
	ins(71, arr, 6, 4)              // OpDecorate %arr ArrayStride 4
	ins(72, block, 0, 35, 0)        // OpMemberDecorate %block 0 Offset 0
	ins(71, block, 3)               // BufferBlock
	ins(71, buf, 33, 0)             // Binding 0
	ins(71, buf, 34, 0)             // DescriptorSet 0
	ins(19, void)                   // OpTypeVoid
	ins(33, fn, void)               // OpTypeFunction
	ins(21, u32, 32, 0)             // OpTypeInt
	ins(20, bool_)                  // OpTypeBool
	ins(29, arr, u32)               // OpTypeRuntimeArray
	ins(30, block, arr)             // OpTypeStruct
	ins(32, pb, 2, block)           // OpTypePointer Uniform
	ins(32, pu, 2, u32)             // OpTypePointer Uniform
	ins(59, pb, buf, 2)             // OpVariable
	ins(43, u32, zero, 0)           // OpConstant
	ins(43, u32, one, 1)            // OpConstant
	ins(54, void, main, 0, fn)      // OpFunction
	id := uint32(first)
	label := id
	id++
	ins(248, label) // OpLabel
	last := uint32(one)
	for range n {
		at, x, sum := id, id+1, id+2
		less, then, merge := id+3, id+4, id+5
		more, phi := id+6, id+7
		id += 8
		ins(65, pu, at, buf, zero, last)           // OpAccessChain
		ins(61, u32, x, at)                        // OpLoad
		ins(128, u32, sum, x, last)                // OpIAdd
		ins(176, bool_, less, sum, one)            // OpULessThan
		ins(247, merge, 0)                         // OpSelectionMerge
		ins(250, less, then, merge)                // OpBranchConditional
		ins(248, then)                             // OpLabel
		ins(128, u32, more, sum, one)              // OpIAdd
		ins(249, merge)                            // OpBranch
		ins(248, merge)                            // OpLabel
		ins(245, u32, phi, sum, label, more, then) // OpPhi
		ins(62, at, phi)                           // OpStore
		label, last = merge, phi
	}
	ins(253) // OpReturn
	ins(56)  // OpFunctionEnd
	w[3] = id
	out := make([]byte, 0, 4*len(w))
	for _, x := range w {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}

// straightModule returns a compute shader of one block with n additions, each of the last two sums, and a store of the
// last sum.
func straightModule(n int) []byte {
	var b strings.Builder
	b.WriteString(`OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpMemberDecorate %block 0 Offset 0
OpDecorate %block BufferBlock
OpDecorate %buf Binding 0
OpDecorate %buf DescriptorSet 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%block = OpTypeStruct %u32
%pb = OpTypePointer Uniform %block
%pu = OpTypePointer Uniform %u32
%buf = OpVariable %pb Uniform
%zero = OpConstant %u32 0
%main = OpFunction %void None %fn
%l = OpLabel
%at = OpAccessChain %pu %buf %zero
%s0 = OpLoad %u32 %at
%s1 = OpIMul %u32 %s0 %s0
`)
	for i := range n {
		op := "IAdd"
		if i%2 != 0 {
			op = "BitwiseXor"
		}
		fmt.Fprintf(&b, "%%s%d = Op%s %%u32 %%s%d %%s%d\n", i+2, op, i+1, i)
	}
	fmt.Fprintf(&b, "OpStore %%at %%s%d\nOpReturn\nOpFunctionEnd\n", n+1)
	return []byte(b.String())
}

// steps are the stages from a module to machine code and through the other forms of the IR; each uses the result of the
// previous step.
var steps = []struct {
	name string
	run  func(ctx context.Context, w *work) error
}{
	{"read", func(_ context.Context, w *work) (err error) {
		w.s, err = spirv.Read(w.module, spirv.Options{Stage: kind.StageCompute})
		return err
	}},
	{"validate", func(_ context.Context, w *work) error { return validate.Shader(w.s) }},
	{"print", func(_ context.Context, w *work) error { w.text = text.Print(w.s); return nil }},
	{"parse", func(_ context.Context, w *work) error { _, err := text.Parse(w.text); return err }},
	{"marshal", func(_ context.Context, w *work) error { w.binary = wire.Marshal(w.s); return nil }},
	{"unmarshal", func(_ context.Context, w *work) error { _, err := wire.Unmarshal(w.binary); return err }},
	{"optimize", func(_ context.Context, w *work) error { return w.passes(pipeline.Optimize) }},
	{"lower", func(_ context.Context, w *work) error { return w.passes(pipeline.Lower) }},
	{"compile", func(ctx context.Context, w *work) error {
		p, err := jacquard.Compile(ctx, w.module, jacquard.Options{SIMD: 16})
		if err == nil {
			w.code = p.Variants[0].Code
		}
		return err
	}},
	{"check", func(_ context.Context, w *work) error {
		if v := legal.Check(isa.TGL, w.code); len(v) > 0 {
			return fmt.Errorf("%v", v[0])
		}
		return nil
	}},
	{"disassemble", func(_ context.Context, w *work) error { return isatext.Disassemble(isa.TGL, w.code, io.Discard) }},
}

type work struct {
	module, text, binary, code []byte
	s                          *ir.Shader
}

func (w *work) passes(p pass.Pipeline) error {
	c := pass.New(w.s)
	c.Options = pass.Options{Target: target.TGL}
	return c.Run(p, nil)
}

// TestStepsScale: every step takes about as long for a module of many instructions, in many blocks or in one, as for
// ten modules with a tenth of them; a quadratic step takes ten times as long. It computes ratios of CPU times of
// adjacent runs, and takes the least ratio of several rounds, which other work on the machine disturbs least; there are
// more rounds while a ratio is too large.
func TestStepsScale(t *testing.T) {
	const rounds, parts, most = 5, 10, 3
	for _, shape := range []struct {
		name   string
		module func(n int) []byte
		n      int
	}{
		{"blocks", longModule, 200},
		{"one block", func(n int) []byte {
			m, err := oracle.Assemble(t, straightModule(n), "")
			if err != nil {
				t.Fatal(err)
			}
			return m
		}, 1000},
	} {
		small, large := shape.module(shape.n), shape.module(parts*shape.n)
		least := make([]float64, len(steps))
		for round := 0; round < rounds || round < 4*rounds && slices.Max(least) > most; round++ {
			whole, apart := []*work{{module: large}}, make([]*work, parts)
			for k := range apart {
				apart[k] = &work{module: small}
			}
			for i, st := range steps {
				took := func(list []*work) float64 {
					runtime.GC()
					before := cpuTime()
					for _, w := range list {
						if err := st.run(t.Context(), w); err != nil {
							t.Fatalf("%s: %s: %v", shape.name, st.name, err)
						}
					}
					return float64(cpuTime() - before)
				}
				divisor := took(apart)
				ratio := took(whole) / max(divisor, 1e6) // less than 1 ms cannot be measured well
				if round == 0 || ratio < least[i] {
					least[i] = ratio
				}
			}
		}
		for i, st := range steps {
			t.Logf("%s: %s: %.2f times", shape.name, st.name, least[i])
			if least[i] > most {
				t.Errorf("%s: %s takes %.2f times as long as for %d modules with a %dth of the instructions", shape.name, st.name,
					least[i], parts, parts)
			}
		}
	}
}

// TestScaling: reading ten times the instructions takes little more than ten times the work. Work is counted as
// allocations and as instructions created; BenchmarkScaling and TestStepsScale measure time.
func TestScaling(t *testing.T) {
	if err := oracle.Validate(t, longModule(2), ""); err != nil {
		t.Fatal(err)
	}
	s := ir.New()
	work := func(n int) (allocs float64, values int) {
		m := longModule(n)
		read := func() {
			if _, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute, Into: s}); err != nil {
				t.Fatal(err)
			}
		}
		read()
		return testing.AllocsPerRun(3, read), s.NumValues()
	}
	a1, v1 := work(500)
	a10, v10 := work(5000)
	if v10 > 10*v1+100 {
		t.Errorf("%d and %d instructions of IR", v1, v10)
	}
	if a10 > 12*a1+100 {
		t.Errorf("%v and %v allocations", a1, a10)
	}
}

// BenchmarkScaling reports how many times longer a module with ten times the
// instructions takes: the least of several runs of each, which other work
// disturbs least.
func BenchmarkScaling(b *testing.B) {
	s := ir.New()
	least := func(m []byte) float64 {
		best := 0.0
		for range 30 {
			before := cpuTime()
			for range 10 {
				if _, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute, Into: s}); err != nil {
					b.Fatal(err)
				}
			}
			if took := float64(cpuTime() - before); best == 0 || took < best {
				best = took
			}
		}
		return best
	}
	small, large := longModule(1000), longModule(10000)
	for b.Loop() {
		x := least(small)
		b.ReportMetric(least(large)/x, "times")
	}
}
