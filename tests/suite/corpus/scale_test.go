package corpus

import (
	"encoding/binary"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// longModule is a compute module whose main function has n blocks of an if
// each, with a value from one to the next: plain control flow, phis,
// arithmetic and memory in proportion to n.
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
		at, x, sum, less, then, merge, more, phi := id, id+1, id+2, id+3, id+4, id+5, id+6, id+7
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

// TestScaling: ten times the instructions take at most ten times the work and
// a little. Work is counted as allocations and as instructions that are made,
// since time depends on what else a machine does; BenchmarkScaling measures it.
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
