// SPDX-License-Identifier: MIT

package meaning

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/eval"
	gen "jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/table"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/support/probe"
)

const (
	lanes  = probe.Lanes
	blocks = 8
	forms  = 50 // combinations of types and modifiers of each opcode
)

// form is an instruction with its types and modifiers.
type form struct {
	op   isa.Op
	math isa.MathFn
	Inst
	flag bool // it is predicated
}

func load(t *testing.T) *Table {
	t.Helper()
	ctx := &domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}}}
	machine, err := gen.LoadMachine(ctx)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := Load(ctx, machine)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// TestModelAgrees runs every opcode that has a meaning on the model of the
// execution units, with types, source modifiers, saturation, conditions and
// predicates drawn at random, and compares results and flags. The model was
// written independently from the manual.
func TestModelAgrees(t *testing.T) {
	tab := load(t)
	rng := rand.New(rand.NewPCG(17, 4))
	total, flags := 0, 0
	for _, name := range slices.Sorted(maps.Keys(tab.rows)) {
		tried := 0
		many := forms
		switch {
		case name == "mov": // from any type to any other
			many *= 16
		case strings.HasPrefix(name, "math_"): // most draws are not valid
			many *= 4
		}
		for range many {
			f := draw(tab, rng, name)
			if f == nil {
				continue
			}
			for _, keep := range []bool{true, false} {
				p := newProbe(rng, f)
				if err := p.run(keep); err != nil {
					t.Errorf("%s: %v", p.text(), err)
					break
				}
				if err := p.compare(tab, keep); err != nil {
					t.Errorf("%s, denormals kept: %v: %v", p.text(), keep, err)
					break
				}
			}
			tried++
			if f.CMod != "" && !tab.KeepsFlag(name) {
				flags++
			}
		}
		if tried < 5 {
			t.Errorf("%s: only %d forms were tried", name, tried)
		}
		total += tried
	}
	t.Logf("%d opcodes, %d forms, %d of them set a flag; %d vectors each", len(tab.rows), total, flags, 2*lanes*blocks)
	if total < 2000 || flags < 300 {
		t.Error("too few")
	}
}

var maths = map[string]isa.MathFn{
	"inv": isa.MathInv, "log2": isa.MathLog2, "exp2": isa.MathExp2, "sqrt": isa.MathSqrt, "rsqrt": isa.MathRsqrt,
	"sin": isa.MathSin, "cos": isa.MathCos, "iquot": isa.MathIQuot, "irem": isa.MathIRem,
}

// draw returns a random form of an opcode, or nil if the draw is not valid.
func draw(tab *Table, rng *rand.Rand, name string) *form {
	f := &form{Inst: Inst{Op: name}}
	opcode, fn, isMath := strings.Cut(name, "_")
	f.op, _ = isa.OpByName(opcode)
	info := &isa.Ops[f.op]
	nsrc := int(info.NumSrc)
	rule := info.Types[rng.IntN(len(info.Types))]
	if rule.On>>isa.TGL&1 == 0 {
		return nil
	}
	pick := func(set uint32) (isa.Type, bool) {
		var all []isa.Type
		for n := range isa.NumTypes {
			typ := isa.Type(n)
			if set>>n&1 != 0 && typ.Elem() == typ && typ.Size() <= 4 {
				all = append(all, typ)
			}
		}
		if len(all) == 0 {
			return 0, false
		}
		return all[rng.IntN(len(all))], true
	}
	dst, ok := pick(rule.Dst)
	if !ok {
		return nil
	}
	f.Dst = dst.String()
	if isMath {
		m := tab.machine.Maths[fn]
		nsrc = m.Src
		f.math, ok = maths[fn]
		if !ok || f.math.IsInt() == (dst.IsFloat()) {
			return nil
		}
	}
	for k := range nsrc {
		typ, ok := pick(rule.Src[k])
		if !ok {
			return nil
		}
		if k > 0 && (isMath || rng.IntN(2) == 0) && rule.Src[k]>>f.typ(0)&1 != 0 {
			typ = f.typ(0)
		}
		s := Source{Type: typ.String()}
		switch {
		case info.LogicMods:
			s.Not = rng.IntN(3) == 0
		case info.SrcMods && !(isMath && !typ.IsFloat()):
			s.Neg, s.Abs = rng.IntN(3) == 0, rng.IntN(3) == 0
		}
		f.Src = append(f.Src, s)
	}
	if last := nsrc - 1; (f.op == isa.OpMul || f.op == isa.OpMad) && !f.typ(last).IsFloat() && f.typ(last).Size() == 4 {
		return nil // the machine multiplies by words
	}
	if f.typ(0) == isa.TypeHF && dst == isa.TypeF && name != "mov" && name != "cmp" && name != "cmpn" {
		wide := false
		for k := range nsrc {
			wide = wide || f.typ(k) == isa.TypeF
		}
		if !wide {
			return nil // no row defines its rounding
		}
	}
	f.Sat = info.CanSat && rng.IntN(3) == 0
	needs := name == "cmp" || name == "cmpn" || name == "csel"
	if info.CanCMod && (needs || rng.IntN(3) == 0) {
		list := []string{"eq", "ne", "gt", "ge", "lt", "le"}
		f.CMod = list[rng.IntN(len(list))]
	}
	if name == "sel" {
		if f.CMod != "" { // only min and max are described
			f.CMod = []string{"lt", "ge"}[rng.IntN(2)]
		}
		f.flag = f.CMod == ""
	}
	return f
}

func (f *form) typ(k int) isa.Type { return typeByName(f.Src[k].Type) }

func typeByName(name string) isa.Type {
	for n := range isa.NumTypes {
		if isa.Type(n).String() == name {
			return isa.Type(n)
		}
	}
	panic("no type " + name)
}

// probed is a form with vectors and the model's results.
type probed struct {
	*form
	in   [blocks][3][lanes]uint32
	pred [blocks]uint8
	out  [blocks][lanes]uint32
	bits [blocks]uint8
}

func newProbe(rng *rand.Rand, f *form) *probed {
	p := &probed{form: f}
	for b := range p.in {
		p.pred[b] = uint8(rng.Uint32())
		for k := range f.Src {
			for i := range lanes {
				p.in[b][k][i] = probe.Value(rng, 8*f.typ(k).Size(), f.typ(k).IsFloat())
			}
		}
	}
	return p
}

// stride returns the stride of the destination, in elements: elements of a narrow destination are spaced like elements
// of the execution type.
func (p *probed) stride() int {
	exec := 2
	for k := range p.Src {
		exec = max(exec, p.typ(k).Size())
	}
	return max(1, exec/typeByName(p.Dst).Size())
}

// text returns the instruction in the assembler's syntax.
func (p *probed) text() string {
	s := ""
	if p.flag {
		s = "(f0.0) "
	}
	s += p.op.String()
	if p.op == isa.OpMath {
		s += "." + p.math.String()
	}
	s += " (8|M0) "
	if p.CMod != "" {
		s += "(" + p.CMod + ")f0.0 "
	}
	if p.Sat {
		s += "(sat)"
	}
	s += fmt.Sprintf("r24.0<%d>:%s", p.stride(), p.Dst)
	for k, x := range p.Src {
		s += " "
		if x.Neg {
			s += "-"
		}
		if x.Not {
			s += "~"
		}
		if x.Abs {
			s += "(abs)"
		}
		region := "<8;8,1>"
		if isa.Ops[p.op].NumSrc == 3 {
			region = []string{"<8;1>", "<8;1>", "<1>"}[k]
		}
		s += fmt.Sprintf("r%d.0%s:%s", 20+k, region, x.Type)
	}
	return s
}

// run runs the instruction on the model, with sources in the registers starting at r20 and the destination in r24 and
// r25.
func (p *probed) run(keep bool) error {
	states := make([]probe.State, blocks)
	for n := range states {
		states[n] = probe.State{Registers: make([]probe.Register, 6), Flag: p.pred[n]}
		for k := range p.Src {
			w := p.typ(k).Size()
			for i := range lanes {
				var x [4]byte
				binary.LittleEndian.PutUint32(x[:], p.in[n][k][i])
				copy(states[n].Registers[k][w*i:], x[:w])
			}
		}
	}
	out, err := probe.Run([]string{p.text()}, states, keep)
	if err != nil {
		return err
	}
	w := typeByName(p.Dst).Size()
	for n := range blocks {
		p.bits[n] = out[n].Flag
		dst := slices.Concat(out[n].Registers[4][:], out[n].Registers[5][:])
		for i := range lanes {
			var x [4]byte
			copy(x[:w], dst[i*w*p.stride():])
			p.out[n][i] = binary.LittleEndian.Uint32(x[:])
		}
	}
	return nil
}

// compare compares the model's results with the meaning.
func (p *probed) compare(tab *Table, keep bool) error {
	in := p.Inst
	in.Src = slices.Clone(p.Src)
	for k := range in.Src {
		in.Src[k].Value = &pattern.Node{Kind: pattern.Var, Name: letter(k)}
	}
	if p.flag {
		in.Pred = &pattern.Node{Kind: pattern.Var, Name: "p"}
	}
	result, err := tab.Value(&in)
	if err != nil {
		return err
	}
	var flag *pattern.Node
	if p.CMod != "" && !tab.KeepsFlag(p.Op) {
		in.Flag = true
		if flag, err = tab.Value(&in); err != nil {
			return err
		}
	}
	typ := typeByName(p.Dst)
	for n := range blocks {
		for i := range lanes {
			env := map[string]uint64{"p": uint64(p.pred[n] >> i & 1)}
			var shown []string
			for k := range p.Src {
				env[letter(k)] = uint64(p.in[n][k][i])
				shown = append(shown, fmt.Sprintf("%#x", p.in[n][k][i]))
			}
			want, err := compute(result, env, keep)
			if err != nil {
				return err
			}
			got := uint64(p.out[n][i])
			if !p.equal(want, got, typ) {
				return fmt.Errorf("of %s the model makes %#x, the meaning %#x", strings.Join(shown, ", "), got, want)
			}
			if flag == nil {
				continue
			}
			if want, err = compute(flag, env, keep); err != nil {
				return err
			}
			if bit := uint64(p.bits[n] >> i & 1); bit != want {
				return fmt.Errorf("of %s the model sets the flag to %d, the meaning to %d", strings.Join(shown, ", "), bit, want)
			}
		}
	}
	return nil
}

// equal compares results; the math unit may differ in the last bits.
func (p *probed) equal(want, got uint64, typ isa.Type) bool {
	if want == got || !typ.IsFloat() {
		return want == got
	}
	x, y := eval.FloatValue(want, 8*typ.Size()), eval.FloatValue(got, 8*typ.Size())
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	if p.op != isa.OpMath || math.IsInf(x, 0) {
		return false
	}
	digits := map[int]int{2: 11, 4: 24}[typ.Size()]
	return math.Abs(x-y) <= math.Ldexp(math.Abs(x), 2-digits)
}

// compute runs an expression; without keep denormals are flushed at the sources
// and results of float operations.
func compute(n *pattern.Node, env map[string]uint64, keep bool) (uint64, error) {
	if n.Kind == pattern.Var {
		return env[n.Name], nil
	}
	flush := func(x uint64, base eval.Base, bits int) uint64 {
		least := map[int]float64{16: 0x1p-14, 32: 0x1p-126}[bits]
		if !keep && base == eval.Float && math.Abs(eval.FloatValue(x, bits)) < least {
			return x & (1 << (bits - 1))
		}
		return x
	}
	var args [][]uint64
	for i, a := range n.Args {
		x, err := compute(a, env, keep)
		if err != nil {
			return 0, err
		}
		s := n.Code.Srcs[i]
		args = append(args, []uint64{flush(x, s.Base, s.Bits)})
	}
	out, err := n.Code.Run(0, args)
	if err != nil {
		return 0, err
	}
	return flush(out[0], n.Code.Out.Base, n.Code.Out.Bits), nil
}
