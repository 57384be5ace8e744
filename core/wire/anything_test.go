// SPDX-License-Identifier: MIT

package wire_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/trips"
	"jacquard.example/core/wire"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// anything generates well-formed but meaningless shaders: every kind of record, type and instruction, with random
// values of every field.
type anything struct {
	*rand.Rand
	s      *ir.Shader
	types  []ir.Type
	fns    []ir.Func
	vars   []ir.Var
	blocks []ir.Node
	values []ir.Value // with results
	users  []ir.Value // with sources
	ifs    []ir.Node
	lines  uint32
}

func (g *anything) u32() uint32 {
	switch g.IntN(4) {
	case 0:
		return 0
	case 1:
		return uint32(g.IntN(20))
	case 2:
		return 1 << g.IntN(32)
	}
	return g.Uint32()
}

func (g *anything) bool() bool { return g.IntN(2) == 0 }

func (g *anything) str() ir.Str {
	return g.s.Strs.Intern([]string{"", "main", "a b", "q\"uo\\te", "l\nine", "é\x00\xff", "S1 // no comment"}[g.IntN(7)])
}

// value returns a random value of an enumeration, or a random subset of a mask.
func (g *anything) value(e *kind.Enum) uint32 {
	n := g.IntN(len(e.Names))
	if !e.Mask {
		return uint32(n)
	}
	m := uint32(1) << n
	switch g.IntN(3) {
	case 0:
		return 0
	case 1:
		m |= 1 << g.IntN(len(e.Names))
	}
	return m
}

// enums are the enumerations by the Go types of their values.
var enums = map[reflect.Type]*kind.Enum{
	reflect.TypeFor[kind.Stage](): &kind.EnumStage, reflect.TypeFor[kind.StageMode](): &kind.EnumStageMode, reflect.TypeFor[kind.Mode](): &kind.EnumMode,
	reflect.TypeFor[kind.Access](): &kind.EnumAccess, reflect.TypeFor[kind.Qualifier](): &kind.EnumQualifier,
	reflect.TypeFor[kind.ImageDim](): &kind.EnumImageDim, reflect.TypeFor[kind.Format](): &kind.EnumFormat,
}

// fill sets the fields of a record.
func (g *anything) fill(record any) {
	x := reflect.ValueOf(record).Elem()
	for i := range x.NumField() {
		f := x.Field(i)
		switch e := enums[f.Type()]; {
		case !f.CanSet() || f.Kind() == reflect.Slice:
		case e != nil:
			f.SetUint(uint64(g.value(e)))
		case f.Type() == reflect.TypeFor[ir.Str]():
			f.SetUint(uint64(g.str()))
		case f.Type() == reflect.TypeFor[ir.Type]():
			f.SetUint(uint64(g.types[g.IntN(len(g.types))]))
		case f.Kind() == reflect.Bool:
			f.SetBool(g.bool())
		case f.Kind() == reflect.Array:
			for k := range f.Len() {
				f.Index(k).SetUint(uint64(g.u32()))
			}
		case f.Kind() == reflect.Uint8:
			f.SetUint(uint64(g.u32() & 0xff))
		case f.Kind() == reflect.Uint32:
			f.SetUint(uint64(g.u32()))
		}
	}
}

// typ adds a type of any kind, composed of existing types.
func (g *anything) typ() {
	tt := &g.s.Types
	scalars := []ir.Type{tt.Scalar(ir.TypeBool, 1)}
	for _, k := range []ir.TypeKind{ir.TypeInt, ir.TypeUint, ir.TypeFloat} {
		for _, bits := range []uint8{8, 16, 32, 64} {
			scalars = append(scalars, tt.Scalar(k, bits))
		}
	}
	var x ir.TypeInfo
	g.fill(&x)
	t := scalars[g.IntN(len(scalars))]
	switch k := ir.TypeKind(g.IntN(ir.NumTypeKinds)); k {
	case ir.TypeVector:
		t = tt.Vector(t, uint32(2+g.IntN(15)))
	case ir.TypeMatrix:
		t = tt.Intern(ir.TypeInfo{Kind: k, Elem: x.Elem, Len: x.Len, Stride: x.Stride, RowMajor: x.RowMajor})
	case ir.TypeArray:
		t = tt.Array(x.Elem, x.Len, x.Stride)
	case ir.TypeStruct:
		members := make([]ir.Member, g.IntN(4))
		for i := range members {
			g.fill(&members[i])
			if g.bool() {
				members[i].Offset = ir.NoOffset
			}
		}
		t = tt.Struct(ir.TypeInfo{Name: x.Name, Size: x.Size, Block: x.Block}, members)
	case ir.TypeImage, ir.TypeSampledImage:
		t = tt.Intern(ir.TypeInfo{Kind: k, Elem: x.Elem, Dim: x.Dim, Format: x.Format, Arrayed: x.Arrayed,
			Multisampled: x.Multisampled, Shadow: x.Shadow, Storage: x.Storage})
	case ir.TypeSampler:
		t = tt.Intern(ir.TypeInfo{Kind: k})
	case ir.TypePointer:
		t = tt.Intern(ir.TypeInfo{Kind: k, Elem: x.Elem, Modes: x.Modes, Bits: x.Bits})
	}
	g.types = append(g.types, t)
}

// shader generates the whole shader. Sources are set last, since they may be defined after their users.
func (g *anything) shader() *ir.Shader {
	g.s = ir.New()
	s := g.s
	g.types = []ir.Type{0}
	for range 12 {
		g.typ()
	}
	g.fill(&s.Info)
	for i := range s.Info.WorkgroupSize { // the text format rejects 0
		s.Info.WorkgroupSize[i] = max(s.Info.WorkgroupSize[i], 1)
	}
	if g.IntN(4) == 0 {
		s.Info.WorkgroupSize = [3]uint32{} // unset
	}
	if g.bool() {
		s.Info.ConstData = []byte{0, 255, byte(g.Uint32())}
	}
	for range g.IntN(3) {
		var b ir.Binding
		g.fill(&b)
		x := s.Types.At(b.Type)
		// the text of an image refers to no struct
		if _, _, n := s.Types.ScalarOf(x.Elem); x.Kind != ir.TypeImage || n != 1 || s.Types.At(x.Elem).Kind == ir.TypePointer {
			b.Type = 0
		}
		s.Info.Bindings = append(s.Info.Bindings, b)
	}
	for range g.IntN(3) {
		s.Regs.At(s.Regs.New(1+uint8(g.IntN(16)), []uint8{1, 8, 16, 32, 64}[g.IntN(5)])).Divergent = g.bool()
	}
	for range 1 + g.IntN(3) {
		params := make([]ir.Param, g.IntN(3))
		for i := range params {
			params[i] = ir.Param{Comps: 1 + uint8(g.IntN(16)), Bits: []uint8{1, 8, 16, 32, 64}[g.IntN(5)]}
		}
		g.fns = append(g.fns, s.NewFunc(s.Strs.Text(g.str()), params...))
	}
	if g.bool() {
		s.Func(g.fns[g.IntN(len(g.fns))]).Entry = true
	}
	for range 1 + g.IntN(4) {
		var x ir.VarInfo
		g.fill(&x)
		x.Mode, x.Location = 1<<g.IntN(len(kind.EnumMode.Names)), int32(g.u32()>>1)-1
		x.Func, x.Removed = 0, false
		if g.bool() {
			x.Func = g.fns[g.IntN(len(g.fns))]
		}
		g.vars = append(g.vars, s.NewVar(x))
	}
	for _, f := range g.fns {
		for n := range s.Blocks(f) { // a new function has one block
			g.list(n, 0)
			break
		}
	}
	for _, n := range g.ifs {
		x := g.values[g.IntN(len(g.values))]
		cond := ir.Src{Val: x, Swz: ir.Identity, N: 1}
		if c := s.At(x).Comps; c > 1 {
			cond.Swz = ir.Broadcast(g.IntN(min(int(c), 8)))
		}
		s.SetCond(n, cond)
	}
	for _, v := range g.users {
		g.words(v)
		for i := range int(s.At(v).NSrc) {
			if g.IntN(12) > 0 && len(g.values) > 0 {
				g.source(v, i)
			}
		}
	}
	return s
}

func (g *anything) list(block ir.Node, depth int) {
	s := g.s
	for {
		g.blocks = append(g.blocks, block)
		b := ir.NewBuilder(s)
		b.AtEnd(block)
		for range g.IntN(6) {
			g.instr(&b)
		}
		if g.IntN(4) == 0 {
			b.Jump(kind.JumpKind(g.IntN(len(kind.EnumJumpKind.Names))))
		}
		if depth > 2 || g.bool() {
			return
		}
		var n ir.Node
		if g.bool() && len(g.values) > 0 {
			n = s.InsertIf(block, ir.Src{Val: g.values[0], Swz: ir.Identity, N: 1})
			g.ifs = append(g.ifs, n)
			g.list(s.Then(n), depth+1)
			g.list(s.Else(n), depth+1)
		} else {
			n = s.InsertLoop(block)
			counts := []trips.Count{trips.Unknown, trips.Exactly(1 + g.IntN(trips.Max)), trips.AtMost(1 + g.IntN(5))}
			s.Node(n).Trips = counts[g.IntN(3)]
			g.list(s.Body(n), depth+1)
		}
		s.Node(n).Hints = ir.LoopHints(g.IntN(16))
		block = s.NextNode(n)
	}
}

// instr inserts an instruction of any kind but a jump, without sources.
func (g *anything) instr(b *ir.Builder) {
	s := g.s
	k := kind.Invalid + 1 + kind.Kind(g.IntN(int(kind.Count-kind.Invalid-1)))
	info := &kind.Infos[k]
	sub := uint16(0)
	switch {
	case k == kind.Jump:
		k, info = kind.ALU, &kind.Infos[kind.ALU]
		fallthrough
	case info.Sub == kind.SubOp:
		sub = uint16(g.IntN(int(op.Count)))
	case info.Sub == kind.SubIntrinsic:
		sub = uint16(1 + g.IntN(int(intrinsic.Count)-1))
	case info.Sub == kind.SubEnum:
		sub = uint16(g.IntN(len(info.SubEnum.Names)))
	}
	sh := info.ShapeOf(sub)
	nsrc := len(sh.Src)
	switch {
	case k == kind.ALU:
		nsrc = int(op.Op(sub).Info().NumSrc)
	case k == kind.Intrinsic:
		nsrc = intrinsic.ID(sub).Info().NumOperands()
	case sh.Variadic:
		nsrc += g.IntN(4)
	}
	bits, comps := uint8(0), uint8(g.IntN(17))
	if g.IntN(5) > 0 || k == kind.ALU || k == kind.LoadConst {
		bits, comps = []uint8{1, 8, 16, 32, 64}[g.IntN(5)], 1+uint8(g.IntN(16))
	}
	words := 0
	if k == kind.Intrinsic {
		words = int(intrinsic.ID(sub).Info().NumIx)
	} else {
		for _, f := range sh.Fields {
			switch f.Class {
			case kind.ClassBlocks, kind.ClassEnums:
				words += nsrc
			case kind.ClassData:
				words += int(comps)
				if bits == 64 {
					words += int(comps)
				}
			default:
				words += f.Class.Words()
			}
		}
	}
	v := s.New(k, sub, nsrc, words)
	in := s.At(v)
	in.Bits, in.Comps, in.Float = bits, comps, uint16(g.value(&kind.EnumFloatMask))
	if g.bool() {
		g.lines++ // no location twice: the order of equal locations is not preserved
		in.Loc = s.Locs.New(ir.Location{File: g.str(), Line: g.lines, Column: g.u32()})
	}
	b.Insert(v)
	g.users = append(g.users, v)
	if bits != 0 {
		g.values = append(g.values, v)
	}
}

// words sets the fields of an instruction.
func (g *anything) words(v ir.Value) {
	s := g.s
	in := s.At(v)
	if in.Kind == kind.Intrinsic {
		info := in.Intrinsic().Info()
		for i, ix := range info.Ix[:info.NumIx] {
			x := &intrinsic.Indices[ix]
			switch x.Class {
			case "enum", "mask":
				for _, e := range kind.Enums {
					if e.Name == x.Enum {
						s.Words(v)[i] = g.value(e)
					}
				}
			case "bool":
				s.Words(v)[i] = uint32(g.IntN(2))
			default:
				s.Words(v)[i] = g.u32()
			}
			if g.IntN(4) == 0 {
				s.Words(v)[i] = x.Default
			}
		}
		return
	}
	at := 0
	for _, f := range kind.Infos[in.Kind].ShapeOf(in.Op).Fields {
		n := f.Class.Words()
		if n == 0 {
			n = int(in.NAux) - at
		}
		for i := range n {
			w := g.u32()
			switch f.Class {
			case kind.ClassBool:
				w = uint32(g.IntN(2))
			case kind.ClassEnum, kind.ClassMask, kind.ClassEnums:
				w = g.value(f.Enum)
			case kind.ClassType:
				w = uint32(g.types[g.IntN(len(g.types))])
			case kind.ClassVar:
				w = uint32(g.vars[g.IntN(len(g.vars))])
			case kind.ClassFunc:
				w = uint32(g.fns[g.IntN(len(g.fns))])
			case kind.ClassBlocks:
				w = uint32(g.blocks[g.IntN(len(g.blocks))])
			}
			s.Words(v)[at+i] = w
		}
		at += n
	}
}

// source sets a source to any value. A swizzle has one canonical form: the identity if all components are read in
// order, otherwise its last component is repeated to the end.
func (g *anything) source(v ir.Value, i int) {
	s := g.s
	x := g.values[g.IntN(len(g.values))]
	have := int(s.At(x).Comps)
	s.SetSrc(v, i, ir.Src{Val: x, Swz: ir.Identity})
	n := int(s.Src(v, i).N)
	if n == 0 {
		s.SetSrc(v, i, ir.Src{}) // no source
		return
	}
	z := ir.Identity
	switch last := uint8(g.IntN(min(have, 8))); {
	case n == have && g.bool():
	case n > 8:
		z = ir.Broadcast(int(last))
	default:
		whole := n == have
		for k := range 8 {
			if k < n {
				last = uint8(g.IntN(min(have, 16)))
				whole = whole && int(last) == k
			}
			z = z.With(k, last)
		}
		if whole {
			z = ir.Identity
		}
	}
	s.SetSrc(v, i, ir.Src{Val: x, Swz: z})
}

// TestAnythingSurvives writes such shaders as text and in the binary form, and reads them back. Each form checks the
// other, so that fields that one of them omits or confuses are found.
func TestAnythingSurvives(t *testing.T) {
	for seed := range uint64(1500) {
		g := &anything{Rand: rand.New(rand.NewPCG(seed, 29))}
		s := g.shader()
		printed, file := text.Print(s), wire.Marshal(s)
		back, err := wire.Unmarshal(file)
		if err != nil {
			t.Fatalf("seed %d: the binary form: %v\n%s", seed, err, printed)
		}
		if got := text.Print(back); !bytes.Equal(got, printed) {
			t.Fatalf("seed %d: was\n%s\nand is in the binary form\n%s", seed, printed, got)
		}
		read, err := text.Parse(printed)
		if err != nil {
			t.Fatalf("seed %d: the text: %v\n%s", seed, err, printed)
		}
		if !bytes.Equal(wire.Marshal(read), file) {
			t.Fatalf("seed %d: the text is incomplete\n%s\nit reads as\n%s", seed, printed, text.Print(read))
		}
	}
}
