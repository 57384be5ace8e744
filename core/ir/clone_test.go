// SPDX-License-Identifier: MIT

package ir_test

import (
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"pgregory.net/rapid"
)

// drawInstr creates an instruction of any kind in the tables, with random words and sources. It need not be valid.
func drawInstr(t *rapid.T, s *ir.Shader, pool []ir.Value) ir.Value {
	k := kind.Kind(rapid.IntRange(1, int(kind.Count)-1).Draw(t, "kind"))
	info := &kind.Infos[k]
	sub, nsrc := 0, 0
	switch info.Sub {
	case kind.SubOp:
		sub = rapid.IntRange(0, int(op.Count)-1).Draw(t, "opcode")
		nsrc = int(op.Op(sub).Info().NumSrc)
	case kind.SubIntrinsic:
		sub = rapid.IntRange(1, int(intrinsic.Count)-1).Draw(t, "intrinsic")
		nsrc = intrinsic.ID(sub).Info().NumOperands()
	case kind.SubEnum:
		sub = rapid.IntRange(0, len(info.SubEnum.Names)-1).Draw(t, "sub")
	}
	sh := info.ShapeOf(uint16(sub))
	nsrc += len(sh.Src)
	if sh.Variadic {
		nsrc += rapid.IntRange(0, 4).Draw(t, "more sources")
	}
	bits := rapid.SampledFrom([]uint8{1, 8, 16, 32, 64}).Draw(t, "bits")
	comps := uint8(rapid.IntRange(1, 16).Draw(t, "comps"))
	naux := 0
	if k == kind.Intrinsic {
		naux = int(intrinsic.ID(sub).Info().NumIx)
	}
	for _, f := range sh.Fields {
		switch n := f.Class.Words(); {
		case n > 0:
			naux += n
		case f.Class == kind.ClassData && bits == 64:
			naux += 2 * int(comps)
		case f.Class == kind.ClassData:
			naux += int(comps)
		default:
			naux += nsrc
		}
	}
	v := s.New(k, uint16(sub), nsrc, naux)
	in := s.At(v)
	in.Bits, in.Comps = bits, comps
	if info.Result == kind.ResultNever {
		in.Bits = 0
	}
	for i := range naux {
		s.Words(v)[i] = uint32(rapid.IntRange(0, 3).Draw(t, "word"))
	}
	for i := range nsrc {
		z := ir.Swizzle(rapid.Uint32().Draw(t, "swizzle"))
		s.SetSrc(v, i, ir.Src{Val: rapid.SampledFrom(pool).Draw(t, "source"), Swz: z})
	}
	return v
}

// TestD07CloneEqualHash: a copy is equal and has the same hash; a copy with any change is not equal. The float mask is
// ignored: CSE keeps the relaxations that both allow. A swizzle counts only for components that are read.
func TestD07CloneEqualHash(t *testing.T) {
	s := ir.New()
	s.NewFunc("main")
	b := ir.NewBuilder(s)
	b.AtEnd(s.FirstBlock(s.Entry() + 1))
	var pool []ir.Value
	for n := range 4 {
		pool = append(pool, b.Const(32, make([]uint64, n+1)...).Val)
	}
	other := b.Const(32, make([]uint64, 16)...).Val
	kinds := map[kind.Kind]int{}
	rapid.Check(t, func(t *rapid.T) {
		v := drawInstr(t, s, pool)
		kinds[s.At(v).Kind]++
		var c ir.Cloner
		c.Start(s)
		n := c.Instr(v)
		same := func() bool { return s.Equal(v, n) && s.Equal(n, v) }
		if !same() || s.Hash(s.At(v)) != s.Hash(s.At(n)) {
			t.Fatalf("the copy of %s is not equal", text.Instr(s, v))
		}
		in := s.At(n)
		changed := func(what string, undo func()) {
			if s.Equal(v, n) || s.Equal(n, v) {
				t.Fatalf("%s: equal although %s differs", text.Instr(s, v), what)
			}
			undo()
			if !same() {
				t.Fatalf("%s: not equal although %s is as before", text.Instr(s, v), what)
			}
		}
		was := *in
		in.Bits ^= 3
		changed("the size", func() { in.Bits = was.Bits })
		in.Op++
		// with another opcode, these have other sources and words
		if was.Kind != kind.ALU && was.Kind != kind.Intrinsic {
			changed("the opcode", func() { in.Op = was.Op })
		}
		in.Op = was.Op
		if was.Kind != kind.ALU && was.Kind != kind.LoadConst {
			in.Comps ^= 1
			changed("the number of components", func() { in.Comps = was.Comps })
		}
		for i := range s.Words(n) {
			w := s.Words(n)[i]
			s.Words(n)[i] = w ^ 1
			changed("a word", func() { s.Words(n)[i] = w })
		}
		for i := range int(in.NSrc) {
			r := s.Src(n, i)
			s.SetSrc(n, i, ir.Src{Val: other, Swz: r.Swz})
			changed("a source", func() { s.SetSrc(n, i, r) })
			k := rapid.IntRange(0, 7).Draw(t, "component")
			z := r
			z.Swz ^= 1 << (4 * k)
			s.SetSrc(n, i, z)
			if k < int(r.N) || r.N > 8 {
				changed("a component that is read", func() { s.SetSrc(n, i, r) })
			} else if !same() || s.Hash(s.At(v)) != s.Hash(s.At(n)) {
				t.Fatalf("%s: not equal although only a component that is not read differs", text.Instr(s, v))
			}
			s.SetSrc(n, i, r)
		}
		in.Float ^= 1
		if !same() || s.Hash(s.At(v)) != s.Hash(s.At(n)) {
			t.Fatal("the float mask counts")
		}
		s.Remove(n)
		s.Remove(v)
	})
	for k := kind.Invalid + 1; k < kind.Count; k++ {
		if kinds[k] == 0 {
			t.Logf("no instruction of kind %s was drawn", k)
		}
	}
}

// TestD07CommutativeOperands: instructions with swapped commutative operands are equal and have the same hash.
func TestD07CommutativeOperands(t *testing.T) {
	s := ir.New()
	b := ir.NewBuilder(s)
	b.AtEnd(s.FirstBlock(s.NewFunc("main")))
	x, y := b.Imm(1), b.Imm(2)
	for _, c := range []struct {
		op   op.Op
		same bool
	}{{op.IAdd, true}, {op.FMul, true}, {op.ISub, false}, {op.IShl, false}} {
		a, z := b.ALU(c.op, x, y).Val, b.ALU(c.op, y, x).Val
		if s.Equal(a, z) != c.same || c.same && s.Hash(s.At(a)) != s.Hash(s.At(z)) {
			t.Errorf("%s with its operands swapped: equal %v, want %v", c.op, s.Equal(a, z), c.same)
		}
	}
}

// control has ifs, loops, phis and private variables.
const control = `shader compute "main"
workgroup_size 4 1 1
var @1 "x" ssbo u32
var @2 "t" function_temp u32 fn=1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32 !"a.comp":1:2
    %1 = load_const.32 value=(0x0) // 0
    %2 = deref_var.32 modes=function_temp type=u32 var=@2 // &t
  loop unroll {
    b1:
      %3 = phi.32 b0: %1, b4: %8
      %4 = ult.1 %0, %3
    if %4 dont_flatten {
      b2:
        jump_break
    } else {
      b3:
        %5 = iadd.32 %3, %0 !"a.comp":3:4
    }
    b4:
      %6 = phi.32 b3: %5
      store_deref.x1 %2, %6 write_mask=1
      %7 = load_deref.32 %2
      %8 = iadd.32 %7, %0
  }
  b5:
    %9 = deref_var.32 modes=ssbo type=u32 var=@1 // &x
    store_deref.x1 %9, %3 write_mask=1
}
`

// TestD12CloneIsIdentity: the copy of a function, with its variables, prints like the function.
func TestD12CloneIsIdentity(t *testing.T) {
	for _, src := range []string{control, derefs} {
		s := parse(t, src)
		old := s.Entry()
		f := s.NewFunc("main")
		var c ir.Cloner
		var mine []ir.Var
		for x := range s.Vars(kind.ModeFunctionTemp) {
			mine = append(mine, x)
		}
		c.Start(s)
		for _, x := range mine {
			info := *s.Var(x)
			info.Func = f
			c.SetVar(x, s.NewVar(info))
		}
		c.List(s.Body(s.Func(old).Node), s.FirstBlock(f))
		for _, x := range mine {
			s.Var(x).Removed = true
		}
		s.RemoveFunc(old)
		s.Func(f).Entry = true
		if got := string(text.Print(s)); got != src {
			t.Errorf("the copy prints as\n%s\nwant\n%s", got, src)
		}
	}
}
