// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
)

// Random arithmetic at every width: in a shader, each invocation reads a record of bytes, applies operations to its
// values and to other operations' results, and stores every result in a separate slot.
const (
	randomLanes  = 32
	randomRecord = 64 // bytes that an invocation reads
	randomSlot   = 8  // bytes of a result
)

// result is one value that a random shader stores.
type result struct {
	op    op.Op
	bits  uint8
	float bool   // NaN is NaN, whatever its bits
	ulp   uint32 // maximum error of the machine
}

// leaves are operations that the machine approximates, beyond the operations that the tables mark as approximate
// (division by a constant is a multiplication), or that may return a zero of either sign. Their results are not used as
// operands, which would make the difference larger.
var leaves = map[op.Op]bool{
	op.UnpackUnorm4x8: true, op.UnpackSnorm4x8: true, op.UnpackUnorm2x16: true, op.UnpackSnorm2x16: true,
	op.FMin: true, op.FMax: true, op.FSign: true,
}

// loose are the operations with more than one correct result, or that no shader has.
var loose = map[op.Op]string{
	op.FDiv:                 "a divisor's reciprocal may be denormal or infinite (Vulkan spec, precision of SPIR-V instructions)",
	op.FMod:                 "the quotient before rounding is approximate",
	op.FRem:                 "the quotient before rounding is approximate",
	op.FDot2:                "denormal products are flushed here or there",
	op.FDot3:                "denormal products are flushed here or there",
	op.FDot4:                "denormal products are flushed here or there",
	op.FFract:               "just below an integer it is 1, or the float before",
	op.FLrp:                 "it has two forms, and cancellation",
	op.FPow:                 "undefined for negative numbers",
	op.Ldexp:                "denormals are flushed here or there",
	op.PackHalf2x16:         "denormals may be flushed",
	op.PackHalf2x16Split:    "denormals may be flushed",
	op.PackHalf2x16RtzSplit: "denormals may be flushed",
	op.UnpackHalf2x16:       "denormals may be flushed",
	op.UnpackHalf2x16SplitX: "denormals may be flushed",
	op.UnpackHalf2x16SplitY: "denormals may be flushed",
}

// divisions by zero are undefined in SPIR-V; at 64 bits, where the compiler lowers them, they give the interpreter's
// results.
var divisions = map[op.Op]bool{op.IDiv: true, op.UDiv: true, op.IRem: true, op.IMod: true, op.UMod: true}

type randomShader struct {
	s       *ir.Shader
	b       *build.Builder
	r       *rand.Rand
	lane    ir.Src
	ints    map[uint8][]ir.Src // by width
	floats  map[uint8][]ir.Src
	results []result
}

func newRandomShader(seed uint64, ops int) *randomShader {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{randomLanes, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	x := &randomShader{s: s, b: build.New(s), r: rand.New(rand.NewPCG(seed, 77)), ints: map[uint8][]ir.Src{}, floats: map[uint8][]ir.Src{}}
	b := x.b
	b.AtEnd(s.FirstBlock(f))
	x.lane = b.LoadLocalInvocationIndex(32)
	base := b.IMul(x.lane, b.Imm(randomRecord))
	for _, bits := range []uint8{64, 32, 16, 8} {
		size := uint32(bits / 8)
		for range 4 {
			off := b.IAdd(base, b.Imm(uint32(x.r.IntN(randomRecord/int(size)))*size))
			v := b.LoadSSBO(1, bits, b.Imm(0), off, 0, size, 0)
			x.ints[bits] = append(x.ints[bits], v)
			if bits == 16 || bits == 32 {
				x.floats[bits] = append(x.floats[bits], v)
			}
		}
	}
	for range 3 {
		x.ints[1] = append(x.ints[1], b.ILt(x.pick(32, false), x.pick(32, false)))
	}
	for len(x.results) < ops {
		x.step()
	}
	x.formulas()
	return x
}

// pick takes an earlier value, or now and then a constant.
func (x *randomShader) pick(bits uint8, float bool) ir.Src {
	pool := x.ints[bits]
	if float {
		pool = x.floats[bits]
	}
	if x.r.IntN(8) == 0 {
		return x.b.ImmN(bits, corner(x.r, bits))
	}
	if n := len(pool); x.r.IntN(2) == 0 {
		return pool[max(0, n-1-x.r.IntN(3))]
	}
	return pool[x.r.IntN(len(pool))]
}

// corner returns a number near the edge cases of arithmetic.
func corner(r *rand.Rand, bits uint8) uint64 {
	mask := ^uint64(0) >> (64 - bits)
	switch r.IntN(6) {
	case 0:
		return uint64(r.IntN(5)-2) & mask
	case 1:
		return (uint64(1)<<r.IntN(int(bits)) + uint64(r.IntN(3)-1)) & mask
	case 2: // floats of middling size
		var v uint64
		for i := 0; i < int(bits); i += 32 {
			v |= uint64(uint32(120+r.IntN(16))<<23|uint32(r.IntN(2))<<31|r.Uint32()&(1<<uint(r.IntN(24))-1)) << i
		}
		if bits < 32 {
			v = uint64(10+r.IntN(12))<<10 | uint64(r.IntN(2))<<15 | r.Uint64()&1023
		}
		return v & mask
	case 3: // infinities, NaN and denormals in words and halves
		v := [...]uint64{0x7f800000, 0xff800000, 0x7fc00000, 0x80000000, 1, 0x807fffff, 0x7c00fc00, 0x7e008001, 0x03ff0001}[r.IntN(9)]
		return (v | v<<32) & mask
	}
	return r.Uint64() >> r.IntN(64) & mask
}

// step adds one random operation, if it is possible here.
func (x *randomShader) step() {
	o := op.Op(x.r.IntN(int(op.Count)))
	info := o.Info()
	if info.Has(op.Derivative) || loose[o] != "" || o == op.Mov {
		return
	}
	if info.Kernel && info.Has(op.Conversion) && info.Out.Base == op.Float {
		return // rounds in a direction of the operation's choice, which no shader asks for and the target does not take
	}
	exec := [...]uint8{1, 8, 16, 32, 64}[x.r.IntN(5)]
	if info.Sizes != 0 && info.Sizes&op.SizeOf(exec) == 0 {
		return
	}
	float := o == op.BCsel && x.r.IntN(2) == 0 && (exec == 16 || exec == 32)
	width := func(d op.Operand) uint8 {
		if d.Bits == 0 {
			return exec
		}
		return d.Bits
	}
	kindOf := func(d op.Operand) bool { return d.Base == op.Float || d.Base == op.Bits && float }
	ok := info.Out.Comps <= 4 && (info.Out.Base != op.Float || width(info.Out) != 64)
	for _, d := range info.Src[:info.NumSrc] {
		ok = ok && d.Comps <= 4 && (d.Base != op.Float || width(d) == 16 || width(d) == 32)
	}
	if !ok {
		return
	}
	if d := info.Src[0]; d.Base == op.Float && info.Out.Base == op.Float && width(d) == width(info.Out) && info.Has(op.Conversion) {
		return // no conversion
	}
	var src []ir.Src
	for i, d := range info.Src[:info.NumSrc] {
		parts := make([]ir.Src, max(1, d.Comps))
		for k := range parts {
			parts[k] = x.pick(width(d), kindOf(d))
		}
		if divisions[o] && i == 1 && exec < 64 {
			parts[0] = x.b.IOr(parts[0], x.b.ImmN(exec, 1))
		}
		src = append(src, pass.Vec(x.b, parts))
	}
	v := x.b.ALU(o, src...)
	res := result{op: o, bits: x.s.At(v.Val).Bits, float: kindOf(info.Out)}
	leaf := leaves[o] || info.Has(op.Approximate)
	if leaf {
		res.ulp = mathULP
	}
	for i := range int(v.N) {
		c := v.Comp(i)
		x.store(c, res)
		if leaf {
			continue
		}
		if res.float {
			x.floats[res.bits] = append(x.floats[res.bits], c)
		} else {
			x.ints[res.bits] = append(x.ints[res.bits], c)
		}
	}
}

func (x *randomShader) store(v ir.Src, res result) {
	b := x.b
	if res.bits == 1 {
		v = b.B2I32(v)
	}
	at := b.IAdd(b.IMul(x.lane, b.Imm(randomSlot)), b.Imm(uint32(len(x.results)*randomLanes*randomSlot)))
	b.StoreSSBO(v, b.Imm(1), at, 1, 0, max(uint32(x.s.At(v.Val).Bits)/8, 1), 0)
	x.results = append(x.results, res)
}

// same compares the values stored by two runs for one result.
func (res *result) same(a, b []byte, ulp uint32) bool {
	x, y := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
	switch {
	case x == y:
		return true
	case res.float:
		return sameFloat(x, y, res.bits, ulp)
	}
	return false
}

func sameFloat(x, y uint64, bits uint8, ulp uint32) bool {
	inf, sign := uint64(0x7f800000), uint64(1)<<(bits-1)
	if bits == 16 {
		inf = 0x7c00
	}
	xNaN, yNaN := x&^sign > inf, y&^sign > inf
	if xNaN || yNaN {
		return xNaN && yNaN
	}
	least := inf &^ (inf << 1) // the least normal number; smaller ones may be flushed or not
	if x&^sign < least && y&^sign < least && (x&^sign == 0 || y&^sign == 0) {
		return ulp > 0 || x&sign == y&sign
	}
	return x == y || x&sign == y&sign && max(x, y)-min(x, y) <= uint64(ulp)
}

// interpret runs a shader on the interpreter, whose binding table is given.
func (x *randomShader) interpret(t *testing.T, s *ir.Shader, in []byte) []byte {
	t.Helper()
	s.Info.Bindings = []ir.Binding{{Binding: 0, Mode: kind.ModeSSBO, Count: 1}, {Binding: 1, Mode: kind.ModeSSBO, Count: 1, Index: 1}}
	out := make([]byte, len(x.results)*randomLanes*randomSlot)
	call := interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 32, Buffers: []interp.Buffer{{Binding: 0, Data: in}, {Binding: 1, Data: out}}}
	if _, err := interp.Run(context.Background(), s, &call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return out
}

// diff names the first result on which two runs disagree.
func (x *randomShader) diff(want, got []byte) error {
	for i := range x.results {
		res := &x.results[i]
		for l := range randomLanes {
			at := (i*randomLanes + l) * randomSlot
			if a, b := want[at:at+randomSlot], got[at:at+randomSlot]; !res.same(a, b, res.ulp) {
				return fmt.Errorf("result %d, %v of %d bits, lane %d: %#x, not %#x", i, res.op, res.bits, l,
					binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(a))
			}
		}
	}
	return nil
}

// TestRandomArithmetic: random arithmetic has the same results on the interpreter
// before and after the whole pipeline, and as machine code.
func TestRandomArithmetic(t *testing.T) {
	const shaders, others = 700, 150 // shaders for the default target, and for each other one
	for seed := range uint64(shaders) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			randomArithmetic(t, target.All[0], seed)
		})
	}
	for i, machine := range target.All[1:] {
		for n := range uint64(others) {
			t.Run(fmt.Sprintf("%s/%d", machine, n), func(t *testing.T) {
				t.Parallel()
				randomArithmetic(t, machine, shaders+uint64(i)*others+n)
			})
		}
	}
}

func randomArithmetic(t *testing.T, machine *target.Target, seed uint64) {
	x := newRandomShader(seed, 24)
	if seed%4 == 3 { // keeps denormals
		x.s.Info.DenormPreserve = 3
	}
	if err := validate.Shader(x.s); err != nil {
		t.Fatal(err)
	}
	in := make([]byte, randomLanes*randomRecord)
	for i := 0; i < len(in); i += 8 {
		binary.LittleEndian.PutUint64(in[i:], corner(x.r, 64))
	}
	source := text.Print(x.s)
	want := x.interpret(t, x.s, in)
	c := pass.New(x.s)
	c.Options = pass.Options{Target: machine}
	if err := pipeline.ForTarget(c, nil); err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	if err := validate.Shader(x.s); err != nil {
		t.Fatal(err)
	}
	lowered := x.interpret(t, x.s, in)
	if err := x.diff(want, lowered); err != nil {
		t.Fatalf("lowered: %v\n%s", err, source)
	}
	simd := machine.Widths[seed%uint64(len(machine.Widths))]
	bin, err := intel.Compile(x.s, intel.Options{Target: machine, SIMD: simd, Buffers: 2, Verify: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	got := make([]byte, len(want))
	_, err = eu.Run(context.Background(), &eu.Dispatch{
		Program: eu.Load(machine, bin.Code), SIMD: simd, Groups: [3]uint32{1, 1, 1}, LocalSize: bin.ABI.WorkgroupSize,
		Surfaces: []*eu.Surface{{Data: in}, {Data: got}}, ScratchPerThread: int(bin.ABI.ScratchBytes), Payload: eu.ComputePayload(machine.ABI, nil),
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	if err := x.diff(want, got); err != nil {
		t.Fatalf("SIMD%d: %v\n%s", simd, err, source)
	}
}
