// SPDX-License-Identifier: MIT

// Package text prints shaders as text (.jir) and parses them. Printing, parsing and
// printing again yields the same text: values, blocks, variables and types are numbered
// in the order in which they are printed.
//
// [Print] and [Parse] handle whole shaders, [Instr] prints one instruction for
// messages. The package checks syntax and names; package validate checks the rest.
//
// An instruction prints as
//
//	%3 = fadd.32x4 %1, %2.xxxx float=contract|nsz !1:12:7
//
// with its name, the size of its result, its sources (with a swizzle unless the source
// is read whole and in order), its fields or indices as name=value (omitted if they have
// their default), and its source location. The contents of an instruction are described
// by generated tables, so that a new kind, opcode or intrinsic prints and parses by its
// row alone.
//
// Tables drive printing and parsing at run time; they are not generated code. An
// instruction is one uniform record, so a loop over its row does the work: adding a row
// is the only edit, and there is less code to build. The same holds for the binary form
// (core/wire), copying and hashing.
package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Print returns the text of a shader.
func Print(s *ir.Shader) []byte {
	p := &printer{s: s}
	p.number()
	p.header()
	for f := range s.Funcs() {
		p.function(f)
	}
	return p.out
}

// Instrs returns a function that returns the text of an instruction, as Print writes it but without comment, source
// location and indentation.
func Instrs(s *ir.Shader) func(ir.Value) string {
	p := &printer{s: s, bare: true, nowhere: true}
	p.number()
	return func(v ir.Value) string {
		p.out = p.out[:0]
		p.instr(v)
		return strings.TrimSpace(string(p.out))
	}
}

type printer struct {
	s      *ir.Shader
	out    []byte
	value  []uint32 // printed number by handle
	block  []uint32
	vars   []uint32
	types  []uint32 // structs: printed number
	order  []ir.Type
	fns    []uint32
	indent int

	bare    bool // without comments
	nowhere bool // without source locations
}

func (p *printer) f(format string, args ...any) { p.out = fmt.Appendf(p.out, format, args...) }

// maxIndent bounds the indentation, which otherwise would be most of the text of nests a few thousand levels deep.
const maxIndent = 64

func (p *printer) line() {
	for range min(p.indent, maxIndent) {
		p.out = append(p.out, ' ', ' ')
	}
}

func (p *printer) number() {
	s := p.s
	p.value = make([]uint32, s.NumValues())
	p.block = make([]uint32, s.NumNodes())
	p.vars = make([]uint32, s.NumVars())
	p.types = make([]uint32, s.Types.Num())
	p.fns = make([]uint32, s.NumFuncs())
	var nv, nb, nvar, nf uint32
	for v := range s.Vars(^kind.Mode(0)) {
		nvar++
		p.vars[v] = nvar
		p.useType(s.Var(v).Type)
	}
	for f := range s.Funcs() {
		nf++
		p.fns[f] = nf
		for b := range s.Blocks(f) {
			p.block[b] = nb
			nb++
			for v := range s.Instrs(b) {
				if s.At(v).HasResult() {
					p.value[v] = nv
					nv++
				}
				p.eachField(v, func(f kind.Field, w []uint32) {
					if f.Class == kind.ClassType {
						p.useType(ir.Type(w[0]))
					}
				})
			}
		}
	}
}

// useType numbers the structs of a type, members first.
func (p *printer) useType(t ir.Type) {
	if p.types[t] != 0 {
		return
	}
	x := p.s.Types.At(t)
	switch x.Kind {
	case ir.TypeStruct:
		for _, m := range p.s.Types.Members(t) {
			p.useType(m.Type)
		}
		p.order = append(p.order, t)
		p.types[t] = uint32(len(p.order))
	case ir.TypeArray, ir.TypeMatrix, ir.TypePointer, ir.TypeImage, ir.TypeSampledImage:
		p.useType(x.Elem)
	}
}

// eachField calls fn for every field of an instruction with its words.
func (p *printer) eachField(v ir.Value, fn func(kind.Field, []uint32)) {
	in := p.s.At(v)
	sh := kind.Infos[in.Kind].ShapeOf(in.Op)
	if sh == nil {
		return
	}
	aux := p.s.Words(v)
	for _, f := range sh.Fields {
		n := f.Class.Words()
		if n == 0 {
			n = len(aux)
		}
		fn(f, aux[:n])
		aux = aux[n:]
	}
}

func (p *printer) header() {
	s := p.s
	i := &s.Info
	p.f("shader %s %q\n", i.Stage, s.Strs.Text(i.Entry))
	if i.WorkgroupSize != [3]uint32{} {
		p.f("workgroup_size %d %d %d\n", i.WorkgroupSize[0], i.WorkgroupSize[1], i.WorkgroupSize[2])
	}
	if i.Modes != 0 {
		p.f("modes %s\n", i.Modes)
	}
	for _, c := range infoNumbers {
		if n := *c.at(i); n != 0 {
			p.f("%s %d\n", c.name, n)
		}
	}
	for _, c := range infoControls {
		if n := *c.at(i); n != 0 {
			p.f("%s %d\n", c.name, n)
		}
	}
	if len(i.ConstData) > 0 {
		p.f("const_data %x\n", i.ConstData)
	}
	for _, b := range i.Bindings {
		p.f("binding %d %d %s count=%d index=%d access=%s", b.Set, b.Binding, b.Mode, b.Count, b.Index, b.Access)
		if b.Sampler != 0 {
			p.f(" sampler=%d", b.Sampler)
		}
		if b.Type != 0 {
			p.f(" type=%s", p.typ(b.Type))
		}
		if b.Unformatted {
			p.f(" unformatted")
		}
		p.f("\n")
	}
	for r := uint32(1); r < s.Regs.Num(); r++ {
		x := s.Regs.At(r)
		p.f("reg %d %dx%d", r, x.Bits, x.Comps)
		if x.Divergent {
			p.f(" divergent")
		}
		p.f("\n")
	}
	for n, t := range p.order {
		p.structType(n+1, t)
	}
	for v := range s.Vars(^kind.Mode(0)) {
		p.variable(v)
	}
}

var infoNumbers = []struct {
	name string
	at   func(*ir.Info) *uint32
}{
	{"invocations", func(i *ir.Info) *uint32 { return &i.Invocations }},
	{"vertices_out", func(i *ir.Info) *uint32 { return &i.VerticesOut }},
	{"shared_size", func(i *ir.Info) *uint32 { return &i.SharedSize }},
	{"scratch_size", func(i *ir.Info) *uint32 { return &i.ScratchSize }},
	{"push_constant_size", func(i *ir.Info) *uint32 { return &i.PushConstantSize }},
	{"subgroup_size", func(i *ir.Info) *uint32 { return &i.SubgroupSize }},
}

var infoControls = []struct {
	name string
	at   func(*ir.Info) *uint8
}{
	{"denorm_flush", func(i *ir.Info) *uint8 { return &i.DenormFlush }},
	{"denorm_preserve", func(i *ir.Info) *uint8 { return &i.DenormPreserve }},
	{"signed_zero_inf_nan", func(i *ir.Info) *uint8 { return &i.SignedZeroInfNaN }},
	{"round_ties_even", func(i *ir.Info) *uint8 { return &i.RoundTiesEven }},
	{"round_toward_zero", func(i *ir.Info) *uint8 { return &i.RoundTowardZero }},
}

func (p *printer) structType(n int, t ir.Type) {
	x := p.s.Types.At(t)
	p.f("struct S%d %q", n, p.s.Strs.Text(x.Name))
	if x.Block {
		p.f(" block")
	}
	if x.Size != 0 {
		p.f(" size=%d", x.Size)
	}
	p.f(" {\n")
	for _, m := range p.s.Types.Members(t) {
		p.f("  %s %q", p.typ(m.Type), p.s.Strs.Text(m.Name))
		if m.Offset != ir.NoOffset {
			p.f(" offset=%d", m.Offset)
		}
		if m.Stride != 0 {
			p.f(" stride=%d", m.Stride)
		}
		if m.RowMajor {
			p.f(" row_major")
		}
		if m.Access != 0 {
			p.f(" access=%s", m.Access)
		}
		if m.Builtin != 0 {
			p.f(" builtin=%d", m.Builtin-1)
		}
		if m.Location != 0 {
			p.f(" location=%d", m.Location-1)
		}
		if m.Comp != 0 {
			p.f(" component=%d", m.Comp)
		}
		if m.Qual != 0 {
			p.f(" qualifier=%s", m.Qual)
		}
		p.f("\n")
	}
	p.f("}\n")
}

// typ returns the text of a type.
func (p *printer) typ(t ir.Type) string {
	x := p.s.Types.At(t)
	switch x.Kind {
	case ir.TypeVoid:
		return "void"
	case ir.TypeBool:
		return "bool"
	case ir.TypeInt:
		return "i" + strconv.Itoa(int(x.Bits))
	case ir.TypeUint:
		return "u" + strconv.Itoa(int(x.Bits))
	case ir.TypeFloat:
		return "f" + strconv.Itoa(int(x.Bits))
	case ir.TypeVector:
		return fmt.Sprintf("%sx%d", p.typ(x.Elem), x.Len)
	case ir.TypeMatrix:
		return fmt.Sprintf("matrix(%s, %d, %d, %s)", p.typ(x.Elem), x.Len, x.Stride, pick(x.RowMajor, "row", "column"))
	case ir.TypeArray:
		return fmt.Sprintf("[%d x %s, %d]", x.Len, p.typ(x.Elem), x.Stride)
	case ir.TypeStruct:
		return "S" + strconv.Itoa(int(p.types[t]))
	case ir.TypePointer:
		return fmt.Sprintf("pointer(%s, %s, %d)", p.typ(x.Elem), x.Modes, x.Bits)
	case ir.TypeSampler:
		return "sampler"
	}
	flags := ""
	for _, f := range []struct {
		on   bool
		name string
	}{{x.Arrayed, "array"}, {x.Multisampled, "ms"}, {x.Shadow, "shadow"}, {x.Storage, "storage"}} {
		if f.on {
			flags += ", " + f.name
		}
	}
	return fmt.Sprintf("%s(%s, %s, %s%s)", pick(x.Kind == ir.TypeImage, "image", "sampled_image"), p.typ(x.Elem), x.Dim, x.Format, flags)
}

func pick(c bool, a, b string) string {
	if c {
		return a
	}
	return b
}

func (p *printer) variable(v ir.Var) {
	x := p.s.Var(v)
	p.f("var @%d %q %s %s", p.vars[v], p.s.Strs.Text(x.Name), x.Mode, p.typ(x.Type))
	if x.Func != 0 {
		p.f(" fn=%d", p.fns[x.Func])
	}
	for _, n := range varNumbers {
		if w := *n.at(x); w != 0 {
			p.f(" %s=%d", n.name, w)
		}
	}
	if x.Builtin != 0 {
		p.f(" builtin=%d", x.Builtin-1)
	}
	if x.Location >= 0 {
		p.f(" location=%d", x.Location)
	}
	if x.Comp != 0 {
		p.f(" component=%d", x.Comp)
	}
	if x.Index != 0 {
		p.f(" index=%d", x.Index)
	}
	if x.Qual != 0 {
		p.f(" qualifier=%s", x.Qual)
	}
	if x.Access != 0 {
		p.f(" access=%s", x.Access)
	}
	if x.ZeroInit {
		p.f(" zero")
	}
	p.f("\n")
}

var varNumbers = []struct {
	name string
	at   func(*ir.VarInfo) *uint32
}{
	{"set", func(v *ir.VarInfo) *uint32 { return &v.Set }},
	{"binding", func(v *ir.VarInfo) *uint32 { return &v.Binding }},
	{"offset", func(v *ir.VarInfo) *uint32 { return &v.Offset }},
}

func (p *printer) function(f ir.Func) {
	s := p.s
	p.f("fn %d %q(", p.fns[f], s.Strs.Text(s.Func(f).Name))
	for i, a := range s.Func(f).Params {
		if i > 0 {
			p.f(", ")
		}
		p.f("%dx%d", a.Bits, a.Comps)
	}
	p.f(")%s {\n", pick(s.Entry() == f, " entry", ""))
	p.indent = 1
	p.list(s.Body(s.Func(f).Node))
	p.indent = 0
	p.f("}\n")
}

func (p *printer) list(n ir.Node) {
	s := p.s
	for ; n != 0; n = s.NextNode(n) {
		p.line()
		switch s.NodeKind(n) {
		case ir.NodeBlock:
			p.f("b%d:\n", p.block[n])
			for v := range s.Instrs(n) {
				p.instr(v)
			}
		case ir.NodeIf:
			p.f("if ")
			p.src(s.Cond(n))
			p.hints(n)
			p.f(" {\n")
			p.nested(s.Then(n))
			p.line()
			p.f("} else {\n")
			p.nested(s.Else(n))
			p.line()
			p.f("}\n")
		case ir.NodeLoop:
			p.f("loop")
			p.hints(n)
			if exact := s.Node(n).Trips.Exact(); exact != 0 {
				p.f(" trips=%d", exact)
			} else if most := s.Node(n).Trips.Bound(); most != 0 {
				p.f(" max_trips=%d", most)
			}
			p.f(" {\n")
			p.nested(s.Body(n))
			p.line()
			p.f("}\n")
		}
	}
}

var hintNames = []string{"unroll", "dont_unroll", "flatten", "dont_flatten"}

func (p *printer) hints(n ir.Node) {
	for i, name := range hintNames {
		if p.s.Node(n).Hints>>i&1 != 0 {
			p.f(" %s", name)
		}
	}
}

func (p *printer) nested(n ir.Node) {
	p.indent++
	p.list(n)
	p.indent--
}

// name returns the printed name of an instruction.
func name(in *ir.Instr) string {
	info := &kind.Infos[in.Kind]
	switch info.Sub {
	case kind.SubOp:
		return in.ALUOp().String()
	case kind.SubIntrinsic:
		return in.Intrinsic().String()
	case kind.SubEnum:
		return info.Name + "_" + info.SubEnum.String(uint32(in.Op))
	}
	return info.Name
}

func (p *printer) instr(v ir.Value) {
	s := p.s
	in := s.At(v)
	p.line()
	p.f("  ")
	if in.HasResult() {
		p.f("%%%d = ", p.value[v])
	}
	p.f("%s", name(in))
	switch {
	case in.HasResult() && in.Comps == 1:
		p.f(".%d", in.Bits)
	case in.HasResult():
		p.f(".%dx%d", in.Bits, in.Comps)
	case in.Comps > 0:
		p.f(".x%d", in.Comps)
	}
	lists := p.parallel(v)
	for i := range int(in.NSrc) {
		p.f("%s", pick(i == 0, " ", ", "))
		if lists.Class == kind.ClassBlocks {
			p.f("b%d: ", p.block[s.Words(v)[p.listStart(v)+i]])
		} else if lists.Class == kind.ClassEnums {
			p.f("%s: ", lists.Enum.String(s.Words(v)[p.listStart(v)+i]))
		}
		p.src(s.Src(v, i))
	}
	if in.Kind == kind.Intrinsic {
		id := in.Intrinsic().Info()
		for i := range int(id.NumIx) {
			ix := intrinsic.Indices[id.Ix[i]]
			if w := s.Words(v)[i]; w != ix.Default {
				p.f(" %s=%s", ix.Name, p.field(indexField(id.Ix[i]), []uint32{w}))
			}
		}
	} else {
		p.eachField(v, func(f kind.Field, w []uint32) {
			if f.Class == kind.ClassBlocks || f.Class == kind.ClassEnums {
				return
			}
			if len(w) == 1 && w[0] == 0 && f.Class != kind.ClassData {
				return
			}
			p.f(" %s=%s", f.Name, p.field(f, w))
		})
	}
	if in.Float != 0 {
		p.f(" float=%s", kind.FloatMask(in.Float))
	}
	if in.Loc != 0 && !p.nowhere {
		x := s.Locs.At(in.Loc)
		p.f(" !%q:%d:%d", s.Strs.Text(x.File), x.Line, x.Column)
	}
	if !p.bare {
		p.comment(v)
	}
	p.f("\n")
}

// parallel returns the field that has one word per source, if there is one.
func (p *printer) parallel(v ir.Value) kind.Field {
	in := p.s.At(v)
	sh := kind.Infos[in.Kind].ShapeOf(in.Op)
	if sh != nil {
		for _, f := range sh.Fields {
			if f.Class == kind.ClassBlocks || f.Class == kind.ClassEnums {
				return f
			}
		}
	}
	return kind.Field{}
}

func (p *printer) listStart(v ir.Value) int {
	in := p.s.At(v)
	return int(in.NAux) - int(in.NSrc)
}

// indexField describes an index of an intrinsic as a field.
func indexField(ix intrinsic.Index) kind.Field {
	info := &intrinsic.Indices[ix]
	f := kind.Field{Name: info.Name}
	switch info.Class {
	case "i32":
		f.Class = kind.ClassI32
	case "bool":
		f.Class = kind.ClassBool
	case "enum", "mask":
		f.Class = kind.ClassEnum
		if info.Class == "mask" {
			f.Class = kind.ClassMask
		}
		for _, e := range kind.Enums {
			if e.Name == info.Enum {
				f.Enum = e
			}
		}
	default:
		f.Class = kind.ClassU32
	}
	return f
}

func (p *printer) field(f kind.Field, w []uint32) string {
	switch f.Class {
	case kind.ClassI32:
		return strconv.Itoa(int(int32(w[0])))
	case kind.ClassU64:
		return fmt.Sprintf("%#x", uint64(w[0])|uint64(w[1])<<32)
	case kind.ClassBool:
		return pick(w[0] != 0, "true", "false")
	case kind.ClassEnum, kind.ClassMask:
		return f.Enum.String(w[0])
	case kind.ClassType:
		return p.typ(ir.Type(w[0]))
	case kind.ClassVar:
		return fmt.Sprintf("@%d", p.vars[w[0]])
	case kind.ClassFunc:
		return fmt.Sprintf("fn%d", p.fns[w[0]])
	case kind.ClassData:
		out := "("
		for i, x := range w {
			out += pick(i > 0, ", ", "") + fmt.Sprintf("%#x", x)
		}
		return out + ")"
	}
	return strconv.FormatUint(uint64(w[0]), 10)
}

func (p *printer) src(r ir.Src) {
	if r.Val == 0 {
		p.f("none")
		return
	}
	p.f("%%%d", p.value[r.Val])
	have := p.s.At(r.Val).Comps
	if r.N == have {
		same := true
		for i := range int(r.N) {
			same = same && r.Swz.Comp(i) == uint8(i)
		}
		if same {
			return
		}
	}
	letters := r.N <= 4
	for i := range int(r.N) {
		letters = letters && r.Swz.Comp(i) < 4
	}
	p.f(".")
	if letters {
		for i := range int(r.N) {
			p.out = append(p.out, "xyzw"[r.Swz.Comp(i)])
		}
		return
	}
	p.f("[")
	for i := range int(r.N) {
		p.f("%s%d", pick(i > 0, " ", ""), r.Swz.Comp(i))
	}
	p.f("]")
}

// comment adds a comment for human readers: constants as numbers, derefs as chains.
func (p *printer) comment(v ir.Value) {
	s := p.s
	in := s.At(v)
	switch in.Kind {
	case kind.LoadConst:
		if in.Bits < 16 {
			return
		}
		p.f(" //")
		for i := range int(in.Comps) {
			c := s.Const(v, i)
			switch in.Bits {
			case 16:
				p.f(" %v", num.F16ToF32(uint16(c)))
			case 32:
				if c < 1<<23 { // not a normal float: rather an integer
					p.f(" %d", c)
					continue
				}
				p.f(" %v", math.Float32frombits(uint32(c)))
			case 64:
				p.f(" %v", math.Float64frombits(c))
			}
		}
	case kind.Deref:
		p.f(" // &%s", p.chain(v, 0))
	}
}

// maxChain bounds the number of steps shown of a deref's chain.
const maxChain = 64

// chain returns the chain of a deref in C notation. Input read from a file may contain
// cycles.
func (p *printer) chain(v ir.Value, steps int) string {
	s := p.s
	in := s.At(v)
	if v == 0 || in.Kind != kind.Deref || steps == maxChain {
		return fmt.Sprintf("%%%d", p.value[v])
	}
	parent := func() string { return p.chain(s.Src(v, 0).Val, steps+1) }
	switch in.DerefKind() {
	case kind.DerefVar:
		x := s.Var(ir.Var(s.Words(v)[kind.FieldDerefVarVar]))
		if x.Name == 0 {
			return fmt.Sprintf("@%d", p.vars[s.Words(v)[kind.FieldDerefVarVar]])
		}
		return plain(s.Strs.Text(x.Name))
	case kind.DerefArray, kind.DerefPtrAsArray:
		if c, ok := s.ConstOf(s.Src(v, 1)); ok {
			return fmt.Sprintf("%s[%d]", parent(), c)
		}
		return fmt.Sprintf("%s[%%%d]", parent(), p.value[s.Src(v, 1).Val])
	case kind.DerefArrayWildcard:
		return parent() + "[*]"
	case kind.DerefStruct:
		i := s.Words(v)[kind.FieldDerefStructMember]
		if p := s.At(s.Src(v, 0).Val); p.Kind == kind.Deref {
			if t := s.DerefType(s.Src(v, 0).Val); s.Types.At(t).Kind == ir.TypeStruct && i < s.Types.At(t).Len {
				if m := s.Types.Members(t)[i]; m.Name != 0 {
					return parent() + "." + plain(s.Strs.Text(m.Name))
				}
			}
		}
		return fmt.Sprintf("%s.%d", parent(), i)
	}
	return fmt.Sprintf("(%s *)%s", p.typ(s.DerefType(v)), parent())
}

// plain formats a name for a comment: quoted, if it contains characters that would end
// the comment or are not printable.
func plain(name string) string {
	if q := strconv.Quote(name); len(q) != len(name)+2 {
		return q
	}
	return name
}

// Instr returns one instruction as text, for messages. Values are named by their handles. If the instruction is too
// damaged to be printed, the text has only its kind.
func Instr(s *ir.Shader, v ir.Value) (line string) {
	defer func() {
		if recover() != nil {
			line = fmt.Sprintf("damaged %s instruction", s.At(v).Kind)
		}
	}()
	p := &printer{s: s, bare: true}
	p.value = make([]uint32, s.NumValues())
	for i := range p.value {
		p.value[i] = uint32(i)
	}
	p.block = make([]uint32, s.NumNodes())
	for i := range p.block {
		p.block[i] = uint32(i)
	}
	p.vars = make([]uint32, s.NumVars())
	for i := range p.vars {
		p.vars[i] = uint32(i)
	}
	p.fns = make([]uint32, s.NumFuncs())
	for i := range p.fns {
		p.fns[i] = uint32(i)
	}
	p.types = make([]uint32, s.Types.Num())
	for i := range p.types {
		p.types[i] = uint32(i)
	}
	p.instr(v)
	return strings.TrimSpace(string(p.out))
}
