// SPDX-License-Identifier: MIT

package fold

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/spv"
)

const (
	driverVectors = 1536 // vectors of four numbers; each is the input of one invocation
	driverGroup   = 64
)

// operand is a type in an instruction's signature.
type operand struct {
	base  byte // i integer, f float, b bool
	bits  int  // size of a component; 1 for bools
	comps int
}

// driven is one instruction at one size: its operand and result types, and the offsets of its results in the output
// buffers.
type driven struct {
	name    string // name with the size, such as OpIAdd@32
	inst    string
	size    int
	in      []operand
	out     []operand // two entries for the members of a struct
	extra   string
	place   []int // places of the components of the results, in order
	outType []operand
}

// parseOperand reads i, f or b, perhaps @bits, perhaps xcomponents.
func parseOperand(text string, size int) operand {
	o := operand{base: text[0], bits: size, comps: 1}
	rest := text[1:]
	if at, comps, ok := strings.Cut(rest, "x"); ok {
		fmt.Sscan(comps, &o.comps)
		rest = at
	}
	if w, ok := strings.CutPrefix(rest, "@"); ok {
		fmt.Sscan(w, &o.bits)
	}
	if o.base == 'b' {
		o.bits = 1
	}
	return o
}

// expand makes the instructions of the table at one size.
func expand(rows []driverRow, size int) []driven {
	var out []driven
	for _, r := range rows {
		if !slices.Contains(r.sizes, size) {
			continue
		}
		for _, text := range strings.Split(r.sig, "; ") {
			widths := []string{""}
			if strings.Contains(text, "@*") { // the result at every other width
				widths = []string{"@16", "@32", "@64"}
				if text[0] == 'i' {
					widths = append(widths, "@8")
				}
			}
			for _, w := range widths {
				to, from, _ := strings.Cut(strings.Replace(text, "@*", w, 1), " = ")
				d := driven{name: fmt.Sprintf("%s@%d%s", r.inst, size, strings.Replace(w, "@", "to", 1)), inst: r.inst, size: size,
					extra: r.extra}
				for _, t := range strings.Fields(from) {
					d.in = append(d.in, parseOperand(t, size))
				}
				for _, t := range strings.Fields(to) {
					d.out = append(d.out, parseOperand(t, size))
				}
				if w != "" && d.in[0].base == d.out[0].base && d.in[0].bits == d.out[0].bits {
					continue
				}
				out = append(out, d)
			}
		}
	}
	return out
}

// module is a shader that computes every instruction on four numbers read for
// each invocation and stores every component of every result in a separate place: bool as a 32-bit integer, floats by
// their bits.
type module struct {
	types, body strings.Builder
	have        map[string]bool
	next        int
	used        map[int]int // places by width
}

func (m *module) id() string { m.next++; return fmt.Sprintf("%%x%d", m.next) }

func (m *module) emit(format string, args ...any) string {
	id := m.id()
	fmt.Fprintf(&m.body, "%s = %s\n", id, fmt.Sprintf(format, args...))
	return id
}

// typ declares a type once.
func (m *module) typ(o operand) string {
	name, decl := "", ""
	switch o.base {
	case 'b':
		name, decl = "%bool", "OpTypeBool"
	case 'f':
		name, decl = fmt.Sprintf("%%f%d", o.bits), fmt.Sprintf("OpTypeFloat %d", o.bits)
	default:
		name, decl = fmt.Sprintf("%%i%d", o.bits), fmt.Sprintf("OpTypeInt %d 0", o.bits)
	}
	m.declare(name, decl)
	if o.comps > 1 {
		scalar := name
		name = fmt.Sprintf("%sx%d", scalar, o.comps)
		m.declare(name, fmt.Sprintf("OpTypeVector %s %d", scalar, o.comps))
	}
	return name
}

func (m *module) declare(name, decl string) {
	if !m.have[name] {
		m.have[name] = true
		fmt.Fprintf(&m.types, "%s = %s\n", name, decl)
	}
}

func (m *module) constant(n int) string {
	name := fmt.Sprintf("%%k%d", n)
	m.typ(operand{'i', 32, 1})
	m.declare(name, fmt.Sprintf("OpConstant %%i32 %d", n))
	return name
}

// component returns the index of the number, of four, that becomes component k of operand j. The first two operands share
// no numbers if they have at most two components, since a driver may write a sum of products that share a factor as one
// product.
func component(j, k int) int { return ([...]int{0, 2, 1, 3}[j] + k) % 4 }

// operand builds an operand from the four numbers of the module's size.
func (m *module) operand(o operand, j, size int, nums []string) string {
	parts := make([]string, o.comps)
	one := o
	one.comps = 1
	for k := range parts {
		x := nums[component(j, k)]
		switch o.base {
		case 'b':
			x = m.emit("OpINotEqual %s %s %s", m.typ(one), m.emit("OpBitwiseAnd %%i%d %s %%one", size, x), "%zero")
		default:
			if o.bits != size {
				x = m.emit("OpUConvert %s %s", m.typ(operand{'i', o.bits, 1}), x)
			}
			if o.base == 'f' {
				x = m.emit("OpBitcast %s %s", m.typ(one), x)
			}
		}
		parts[k] = x
	}
	if o.comps == 1 {
		return parts[0]
	}
	return m.emit("OpCompositeConstruct %s %s", m.typ(o), strings.Join(parts, " "))
}

// store puts a result into the output buffer of its width.
func (m *module) store(d *driven, o operand, v string) {
	one := o
	one.comps = 1
	for k := range o.comps {
		x, w := v, o.bits
		if o.comps > 1 {
			x = m.emit("OpCompositeExtract %s %s %d", m.typ(one), v, k)
		}
		switch o.base {
		case 'b':
			w = 32
			x = m.emit("OpSelect %s %s %s %s", m.typ(operand{'i', 32, 1}), x, m.constant(1), m.constant(0))
		case 'f':
			x = m.emit("OpBitcast %s %s", m.typ(operand{'i', w, 1}), x)
		}
		m.used[w]++
		d.place = append(d.place, (m.used[w]-1)*driverVectors)
		d.outType = append(d.outType, one)
		at := m.emit("OpIAdd %%i32 %%i %s", m.constant((m.used[w]-1)*driverVectors))
		p := m.emit("OpAccessChain %%pi%d %%out%d %s %s", w, w, m.constant(0), at)
		fmt.Fprintf(&m.body, "OpStore %s %s\n", p, x)
	}
}

func (m *module) instruction(d *driven, nums []string) {
	args := make([]string, len(d.in))
	for j, o := range d.in {
		args[j] = m.operand(o, j, d.size, nums)
	}
	typ := m.typ(d.out[0])
	if len(d.out) == 2 {
		second := m.typ(d.out[1])
		name := "%s" + typ[1:] + "_" + second[1:]
		m.declare(name, "OpTypeStruct "+typ+" "+second)
		typ = name
	}
	call := d.inst
	if ext, ok := strings.CutPrefix(d.inst, "glsl."); ok {
		call = "OpExtInst"
		args = append([]string{"%glsl", ext}, args...)
	}
	v := m.emit("%s %s %s %s", call, typ, strings.Join(args, " "), d.extra)
	if len(d.out) == 1 {
		m.store(d, d.out[0], v)
		return
	}
	for i, o := range d.out {
		m.store(d, o, m.emit("OpCompositeExtract %s %s %d", m.typ(o), v, i))
	}
}

// text writes the module for the instructions of one size and fills in their
// places.
func (m *module) text(list []driven, size int) string {
	m.have, m.used = map[string]bool{}, map[int]int{}
	for _, w := range []int{8, 16, 32, 64} {
		u := m.typ(operand{'i', w, 1})
		fmt.Fprintf(&m.types, "%%a%d = OpTypeRuntimeArray %s\n%%buf%d = OpTypeStruct %%a%d\n"+
			"%%pb%d = OpTypePointer StorageBuffer %%buf%d\n%%pi%d = OpTypePointer StorageBuffer %s\n"+
			"%%out%d = OpVariable %%pb%d StorageBuffer\n",
			w, u, w, w, w, w, w, u, w, w)
	}
	fmt.Fprintf(&m.types, "%%zero = OpConstant %%i%d 0\n%%one = OpConstant %%i%d 1\n", size, size)
	var nums []string
	for j := range 4 {
		fmt.Fprintf(&m.types, "%%in%d = OpVariable %%pb%d StorageBuffer\n", j, size)
		p := m.emit("OpAccessChain %%pi%d %%in%d %s %%i", size, j, m.constant(0))
		nums = append(nums, m.emit("OpLoad %%i%d %s", size, p))
	}
	for i := range list {
		m.instruction(&list[i], nums)
	}
	m.typ(operand{'i', 32, 3})
	var b strings.Builder
	for _, c := range []string{"Shader", "Int8", "Int16", "Int64", "Float16", "Float64", "StorageBuffer8BitAccess", "StorageBuffer16BitAccess",
		"DotProduct", "DotProductInputAll", "DotProductInput4x8Bit", "DotProductInput4x8BitPacked"} {
		b.WriteString("OpCapability " + c + "\n")
	}
	b.WriteString("OpExtension \"SPV_KHR_8bit_storage\"\nOpExtension \"SPV_KHR_integer_dot_product\"\n" +
		"%glsl = OpExtInstImport \"GLSL.std.450\"\n" +
		"OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %gid\n")
	fmt.Fprintf(&b, "OpExecutionMode %%main LocalSize %d 1 1\nOpDecorate %%gid BuiltIn GlobalInvocationId\n", driverGroup)
	for _, w := range []int{8, 16, 32, 64} {
		fmt.Fprintf(&b, "OpDecorate %%a%d ArrayStride %d\nOpDecorate %%buf%d Block\nOpMemberDecorate %%buf%d 0 Offset 0\n", w, w/8, w, w)
	}
	for i, v := range outputs {
		fmt.Fprintf(&b, "OpDecorate %s DescriptorSet 0\nOpDecorate %s Binding %d\n", v, v, i)
	}
	b.WriteString(m.types.String())
	b.WriteString("%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%pv3 = OpTypePointer Input %i32x3\n%gid = OpVariable %pv3 Input\n" +
		"%main = OpFunction %void None %fn\n%entry = OpLabel\n%g = OpLoad %i32x3 %gid\n%i = OpCompositeExtract %i32 %g 0\n")
	b.WriteString(m.body.String() + "OpReturn\nOpFunctionEnd\n")
	return b.String()
}

// outputs are the buffers by binding.
var outputs = []string{"%in0", "%in1", "%in2", "%in3", "%out8", "%out16", "%out32", "%out64"}

// driverInputs draws the numbers of one size, four for each invocation.
func driverInputs(size int) [4][]uint64 {
	r := rand.New(rand.NewPCG(uint64(size), 99))
	kinds := []op.Operand{{Base: op.Int}, {Base: op.Float}}
	if size == 8 {
		kinds = kinds[:1]
	}
	var in [4][]uint64
	for range driverVectors {
		for j := range in {
			in[j] = append(in[j], random(r, kinds[r.IntN(len(kinds))], size))
		}
	}
	return in
}

// buffers lays the inputs out and makes room for the results.
func (m *module) buffers(in [4][]uint64, size int) [][]byte {
	var out [][]byte
	for _, list := range in {
		var b []byte
		for _, x := range list {
			b = append(b, binary.LittleEndian.AppendUint64(nil, x)[:size/8]...)
		}
		out = append(out, b)
	}
	for _, w := range []int{8, 16, 32, 64} {
		out = append(out, make([]byte, max(8, m.used[w]*driverVectors*w/8)))
	}
	return out
}

// result is one component of one invocation's result of an instruction.
type result struct {
	d    *driven
	comp int
	in   [4]uint64
	want uint64 // the folder's
	got  uint64 // the driver's
	out  operand
}

// arg returns component k of operand j, zero-extended.
func (x *result) arg(j, k int) uint64 {
	return x.in[component(j, k)] & (^uint64(0) >> (64 - x.d.in[j].bits))
}

func (x *result) String() string {
	args := make([]string, len(x.d.in))
	for j := range args {
		for k := range x.d.in[j].comps {
			args[j] += fmt.Sprintf(" %#x", x.arg(j, k))
		}
	}
	return fmt.Sprintf("%s%s, component %d of the result: the folder gives %#x, lavapipe %#x", x.d.name, strings.Join(args, ","), x.comp,
		x.want, x.got)
}

// TestFolderEqualsDriver: for every arithmetic instruction of SPIR-V, at every size, the folder agrees with lavapipe
// except in the cases of driverExclusions. Every exclusion is needed.
func TestFolderEqualsDriver(t *testing.T) {
	dev := lavapipe.Need(t)
	reached := map[op.Op]bool{}
	needed := make([]int, len(driverExclusions))
	for _, size := range []int{8, 16, 32, 64} {
		list := expand(driverRows, size)
		var m module
		bin, err := oracle.Assemble(t, []byte(m.text(list, size)), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := oracle.Validate(t, bin, ""); err != nil {
			t.Fatal(err)
		}
		s, err := spirv.Read(bin, spirv.Options{Stage: kind.StageCompute})
		if err != nil {
			t.Fatal(err)
		}
		for b := range s.Blocks(s.Entry()) {
			for v := range s.Instrs(b) {
				if in := s.At(v); in.Kind == kind.ALU {
					reached[in.ALUOp()] = true
				}
			}
		}
		s.Info.DenormPreserve = driverPreserves
		in := driverInputs(size)
		want := runFolder(t, s, m.buffers(in, size))
		got := runDriver(t, dev, bin, m.buffers(in, size))
		for i := range list {
			compareDriver(t, &list[i], in, want, got, needed)
		}
	}
	for i, n := range needed {
		if n == 0 {
			t.Errorf("the exclusion %s (%s) is not needed", driverExclusions[i].insts, driverExclusions[i].reason)
		}
	}
	for o := range op.Count {
		switch reason := driverUnreached[o.String()]; {
		case !reached[o] && reason == "" && !o.Info().Kernel && !o.Info().Has(op.Derivative):
			t.Errorf("no instruction of the table comes to %v, and it is not listed with a reason", o)
		case reached[o] && reason != "":
			t.Errorf("%v is listed as not reached (%s), but is", o, reason)
		}
	}
}

func runFolder(t *testing.T, s *ir.Shader, data [][]byte) [][]byte {
	t.Helper()
	call := interp.Call{Groups: [3]uint32{driverVectors / driverGroup, 1, 1}, Width: 32}
	for i, b := range data {
		call.Buffers = append(call.Buffers, interp.Buffer{Binding: uint32(i), Data: b})
	}
	if _, err := interp.Run(context.Background(), s, &call); err != nil {
		t.Fatal(err)
	}
	return data
}

func runDriver(t *testing.T, dev *lavapipe.Device, bin []byte, data [][]byte) [][]byte {
	t.Helper()
	words, err := spv.Words(bin)
	if err != nil {
		t.Fatal(err)
	}
	d := lavapipe.Dispatch{Words: words, Groups: [3]uint32{driverVectors / driverGroup, 1, 1}}
	for i, b := range data {
		d.Bindings = append(d.Bindings, lavapipe.Binding{Binding: uint32(i), Data: b})
	}
	if err := dev.Run(&d); err != nil {
		t.Fatal(err)
	}
	return data
}

// compareDriver compares all results of an instruction.
func compareDriver(t *testing.T, d *driven, in [4][]uint64, want, got [][]byte, needed []int) {
	bad := 0
	for c, place := range d.place {
		o := d.outType[c]
		w := max(o.bits, 8)
		if o.base == 'b' {
			w = 32
		}
		buf := 4 + slices.Index([]int{8, 16, 32, 64}, w)
		for i := range driverVectors {
			at := (place + i) * w / 8
			x := result{d: d, comp: c, out: o}
			x.want, x.got = number(want[buf][at:], w), number(got[buf][at:], w)
			if x.want == x.got || o.base == 'f' && decode(x.want, w, false) == nil && decode(x.got, w, false) == nil {
				continue
			}
			for j := range x.in {
				x.in[j] = in[j][i]
			}
			holds := func(e driverExclusion) bool {
				return slices.Contains(strings.Fields(e.insts), d.inst) && e.when(&x)
			}
			if slices.ContainsFunc(withoutAVX512, holds) {
				continue
			}
			if e := slices.IndexFunc(driverExclusions, holds); e >= 0 {
				needed[e]++
				continue
			}
			if bad++; bad <= 3 {
				t.Error(&x)
			}
		}
	}
	if bad > 3 {
		t.Errorf("%s: %d differences", d.name, bad)
	}
}

func number(b []byte, w int) uint64 {
	var x [8]byte
	copy(x[:], b[:w/8])
	return binary.LittleEndian.Uint64(x[:])
}
