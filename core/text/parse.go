package text

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Limits on what a file may declare, far above what a shader needs.
const (
	maxNumber = 1 << 24 // values, blocks, variables
	maxNest   = 256     // nested ifs and loops, nested types
)

// Parse reads a shader. It checks the form of the text; ir validation checks
// what it says. Errors are *Error.
func Parse(src []byte) (s *ir.Shader, err error) {
	toks, err := lex(src)
	if err != nil {
		return nil, err
	}
	p := &parser{toks: toks, s: ir.New(), b: ir.Builder{}, values: map[uint32]ir.Value{}, blocks: map[uint32]ir.Node{}, vars: map[uint32]ir.Var{}, fns: map[uint32]ir.Func{}}
	p.b = ir.NewBuilder(p.s)
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			s, err = nil, e
		}
	}()
	p.shader()
	return p.s, nil
}

type parser struct {
	toks   []token
	at     int
	s      *ir.Shader
	b      ir.Builder
	values map[uint32]ir.Value
	blocks map[uint32]ir.Node
	vars   map[uint32]ir.Var
	fns    map[uint32]ir.Func
	types  []ir.Type // structs by number - 1
	depth  int
	// what names something that stands further down
	srcs  []pendingSrc
	preds []pendingWord
	calls []pendingWord
	owner []pendingOwner
}

type pendingSrc struct {
	user ir.Value
	cond ir.Node
	i    int
	ref  srcRef
}

type pendingWord struct {
	user ir.Value
	word int
	num  uint32
	tok  token
}

type pendingOwner struct {
	v   ir.Var
	num uint32
	tok token
}

type srcRef struct {
	num   uint32
	comps []uint8 // nil: whole
	none  bool
	tok   token
}

func (p *parser) fail(t token, format string, args ...any) {
	panic(&Error{t.line, t.col, fmt.Sprintf(format, args...)})
}

func (p *parser) peek() token { return p.toks[p.at] }

func (p *parser) next() token {
	t := p.toks[p.at]
	if t.kind != tokEOF {
		p.at++
	}
	return t
}

func (p *parser) isPunct(c string) bool { t := p.peek(); return t.kind == tokPunct && t.text == c }

func (p *parser) isWord(w string) bool { t := p.peek(); return t.kind == tokWord && t.text == w }

func (p *parser) expect(c string) {
	if t := p.next(); t.kind != tokPunct || t.text != c {
		p.fail(t, "expected '%s', found %s", c, t)
	}
}

func (p *parser) accept(c string) bool {
	if p.isPunct(c) {
		p.at++
		return true
	}
	return false
}

func (p *parser) word(what string) token {
	t := p.next()
	if t.kind != tokWord {
		p.fail(t, "expected %s, found %s", what, t)
	}
	return t
}

func (p *parser) str(what string) string {
	t := p.next()
	if t.kind != tokString {
		p.fail(t, "expected %s in quotes, found %s", what, t)
	}
	return t.text
}

func (p *parser) newline() {
	if t := p.next(); t.kind != tokNewline && t.kind != tokEOF {
		p.fail(t, "expected the end of the line, found %s", t)
	}
}

func (p *parser) number(t token, text string, bits int) uint64 {
	n, err := strconv.ParseUint(text, 0, bits)
	if err != nil {
		p.fail(t, "%q is no number of at most %d bits", text, bits)
	}
	return n
}

func (p *parser) u32(what string) uint32 {
	t := p.word(what)
	return uint32(p.number(t, t.text, 32))
}

// ref reads a number behind a prefix: %3, @3, b3, fn3, S3.
func (p *parser) ref(t token, prefix, what string) uint32 {
	rest, ok := strings.CutPrefix(t.text, prefix)
	if t.kind != tokWord || !ok {
		p.fail(t, "expected %s (%sN), found %s", what, prefix, t)
	}
	n := p.number(t, rest, 32)
	if n >= maxNumber {
		p.fail(t, "%s%d: the number is too large", prefix, n)
	}
	return uint32(n)
}

func (p *parser) enum(e *kind.Enum, t token) uint32 {
	if t.kind != tokWord {
		p.fail(t, "expected a value of %s, found %s", e.Name, t)
	}
	if e.Mask {
		if t.text == "none" {
			return 0
		}
		m := uint32(0)
		for _, n := range strings.Split(t.text, "|") {
			v, ok := e.Value(n)
			if !ok {
				p.fail(t, "%s has no value %q", e.Name, n)
			}
			m |= 1 << v
		}
		return m
	}
	v, ok := e.Value(t.text)
	if !ok {
		p.fail(t, "%s has no value %q", e.Name, t.text)
	}
	return v
}

func (p *parser) shader() {
	for p.peek().kind == tokNewline {
		p.at++
	}
	if t := p.next(); t.kind != tokWord || t.text != "shader" {
		p.fail(t, "a shader starts with the word 'shader', found %s", t)
	}
	p.s.Info.Stage = kind.Stage(p.enum(&kind.EnumStage, p.next()))
	p.s.Info.Entry = p.s.Intern(p.str("the name of the entry point"))
	p.newline()
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			p.resolve()
			return
		case t.kind == tokNewline:
		case t.kind != tokWord:
			p.fail(t, "expected a declaration, found %s", t)
		case t.text == "struct":
			p.structDecl()
		case t.text == "var":
			p.varDecl()
		case t.text == "fn":
			p.function()
		case t.text == "reg":
			p.regDecl()
		case t.text == "binding":
			p.bindingLine()
		case t.text == "workgroup_size":
			for i := range 3 {
				p.s.Info.WorkgroupSize[i] = p.u32("a size")
			}
			p.newline()
		case t.text == "const_data":
			h := p.word("hexadecimal bytes")
			d, err := hex.DecodeString(h.text)
			if err != nil {
				p.fail(h, "constant data is not hexadecimal")
			}
			p.s.Info.ConstData = d
			p.newline()
		default:
			p.infoLine(t)
		}
	}
}

func (p *parser) bindingLine() {
	b := ir.Binding{Set: p.u32("a set"), Binding: p.u32("a binding")}
	b.Mode = kind.Mode(p.enum(&kind.EnumMode, p.next()))
	number := func(name string) uint32 {
		if w := p.word(name); w.text != name {
			p.fail(w, "expected %s, found %s", name, w)
		}
		p.expect("=")
		return p.u32("a number")
	}
	b.Count, b.Index = number("count"), number("index")
	if w := p.word("access"); w.text != "access" {
		p.fail(w, "expected access, found %s", w)
	}
	p.expect("=")
	b.Access = kind.Access(p.enum(&kind.EnumAccess, p.next()))
	p.newline()
	p.s.Info.Bindings = append(p.s.Info.Bindings, b)
}

func (p *parser) infoLine(t token) {
	for _, c := range infoNumbers {
		if c.name == t.text {
			*c.at(&p.s.Info) = p.u32("a number")
			p.newline()
			return
		}
	}
	for _, c := range infoControls {
		if c.name == t.text {
			w := p.word("a number")
			*c.at(&p.s.Info) = uint8(p.number(w, w.text, 8))
			p.newline()
			return
		}
	}
	p.fail(t, "unknown declaration %s", t)
}

// size reads BITSxCOMPS.
func (p *parser) size(t token, text string) (bits, comps uint8) {
	a, b, ok := strings.Cut(text, "x")
	if !ok {
		b = "1"
	}
	if a != "" {
		n := p.number(t, a, 8)
		switch n {
		case 1, 8, 16, 32, 64:
		default:
			p.fail(t, "%d is no bit size", n)
		}
		bits = uint8(n)
	}
	n := p.number(t, b, 8)
	if n < 1 || n > 16 {
		p.fail(t, "%d components; 1 to 16 are possible", n)
	}
	return bits, uint8(n)
}

func (p *parser) regDecl() {
	t := p.word("a number")
	n := p.number(t, t.text, 32)
	w := p.word("a size")
	bits, comps := p.size(w, w.text)
	r := p.s.NewReg(comps, bits)
	if uint64(r) != n {
		p.fail(t, "registers are declared in order; this is number %d", r)
	}
	if p.isWord("divergent") {
		p.at++
		p.s.Reg(r).Divergent = true
	}
	p.newline()
}

func (p *parser) structDecl() {
	t := p.word("a struct's number")
	n := p.ref(t, "S", "a struct")
	if int(n) != len(p.types)+1 {
		p.fail(t, "structs are declared in order; this is S%d", len(p.types)+1)
	}
	info := ir.TypeInfo{Name: p.s.Intern(p.str("the struct's name"))}
	for !p.isPunct("{") {
		w := p.word("'{'")
		switch w.text {
		case "block":
			info.Block = true
		case "size":
			p.expect("=")
			info.Size = p.u32("a size")
		default:
			p.fail(w, "unknown property %s of a struct", w)
		}
	}
	p.expect("{")
	p.newline()
	var members []ir.Member
	for !p.accept("}") {
		m := ir.Member{Type: p.typ(), Offset: ir.NoOffset}
		m.Name = p.s.Intern(p.str("the member's name"))
		for p.peek().kind == tokWord {
			w := p.next()
			if w.text == "row_major" {
				m.RowMajor = true
				continue
			}
			p.expect("=")
			switch w.text {
			case "offset":
				m.Offset = p.u32("bytes")
			case "stride":
				m.Stride = p.u32("bytes")
			case "access":
				m.Access = kind.Access(p.enum(&kind.EnumAccess, p.next()))
			case "builtin":
				m.Builtin = p.u32("a builtin") + 1
			case "location":
				m.Location = p.u32("a location") + 1
			default:
				p.fail(w, "unknown property %s of a member", w)
			}
		}
		members = append(members, m)
		p.newline()
	}
	p.newline()
	p.types = append(p.types, p.s.Types.Struct(info, members))
}

func (p *parser) typ() ir.Type {
	if p.depth++; p.depth > maxNest {
		p.fail(p.peek(), "types are nested too deeply")
	}
	defer func() { p.depth-- }()
	tt := &p.s.Types
	if p.accept("[") {
		n := p.u32("a length")
		if w := p.word("'x'"); w.text != "x" {
			p.fail(w, "expected 'x', found %s", w)
		}
		elem := p.typ()
		p.expect(",")
		stride := p.u32("a stride")
		p.expect("]")
		return tt.Array(elem, n, stride)
	}
	t := p.word("a type")
	switch t.text {
	case "void":
		return 0
	case "sampler":
		return tt.Intern(ir.TypeInfo{Kind: ir.TypeSampler})
	case "matrix":
		p.expect("(")
		x := ir.TypeInfo{Kind: ir.TypeMatrix, Elem: p.typ()}
		p.expect(",")
		x.Len = p.u32("a number of columns")
		p.expect(",")
		x.Stride = p.u32("a stride")
		p.expect(",")
		switch w := p.word("row or column"); w.text {
		case "row":
			x.RowMajor = true
		case "column":
		default:
			p.fail(w, "expected row or column, found %s", w)
		}
		p.expect(")")
		return tt.Intern(x)
	case "pointer":
		p.expect("(")
		x := ir.TypeInfo{Kind: ir.TypePointer, Elem: p.typ()}
		p.expect(",")
		x.Modes = kind.Mode(p.enum(&kind.EnumMode, p.next()))
		p.expect(",")
		x.Bits = uint8(p.u32("a size"))
		p.expect(")")
		return tt.Intern(x)
	case "image", "sampled_image":
		return p.imageType(t.text == "image")
	}
	if strings.HasPrefix(t.text, "S") {
		n := p.ref(t, "S", "a struct")
		if n == 0 || int(n) > len(p.types) {
			p.fail(t, "struct S%d is not declared above", n)
		}
		return p.types[n-1]
	}
	return p.scalarType(t)
}

func (p *parser) imageType(storage bool) ir.Type {
	x := ir.TypeInfo{Kind: ir.TypeSampledImage}
	if storage {
		x.Kind = ir.TypeImage
	}
	p.expect("(")
	x.Elem = p.typ()
	p.expect(",")
	x.Dim = kind.ImageDim(p.enum(&kind.EnumImageDim, p.next()))
	p.expect(",")
	x.Format = kind.Format(p.enum(&kind.EnumFormat, p.next()))
	for p.accept(",") {
		w := p.word("a property of an image")
		switch w.text {
		case "array":
			x.Arrayed = true
		case "ms":
			x.Multisampled = true
		case "shadow":
			x.Shadow = true
		case "storage":
			x.Storage = true
		default:
			p.fail(w, "unknown property %s of an image", w)
		}
	}
	p.expect(")")
	return p.s.Types.Intern(x)
}

func (p *parser) scalarType(t token) ir.Type {
	base, n, vec := strings.Cut(t.text, "x")
	var h ir.Type
	if base == "" {
		p.fail(t, "unknown type %s", t)
	}
	if base == "bool" {
		h = p.s.Types.Scalar(ir.TypeBool, 1)
	} else {
		k, ok := map[byte]ir.TypeKind{'i': ir.TypeInt, 'u': ir.TypeUint, 'f': ir.TypeFloat}[base[0]]
		if !ok {
			p.fail(t, "unknown type %s", t)
		}
		bits, _ := p.size(t, base[1:])
		if bits < 8 {
			p.fail(t, "unknown type %s", t)
		}
		h = p.s.Types.Scalar(k, bits)
	}
	if !vec {
		return h
	}
	c := p.number(t, n, 8)
	if c < 2 || c > 16 {
		p.fail(t, "a vector has 2 to 16 components, not %d", c)
	}
	return p.s.Types.Vector(h, uint32(c))
}

func (p *parser) varDecl() {
	t := p.word("a variable's number")
	n := p.ref(t, "@", "a variable")
	if _, dup := p.vars[n]; dup || n == 0 {
		p.fail(t, "variable @%d is declared twice or is 0", n)
	}
	x := ir.VarInfo{Location: -1, Name: p.s.Intern(p.str("the variable's name"))}
	x.Mode = kind.Mode(p.enum(&kind.EnumMode, p.next()))
	x.Type = p.typ()
	var owner *pendingOwner
	for p.peek().kind == tokWord {
		w := p.next()
		if w.text == "zero" {
			x.ZeroInit = true
			continue
		}
		p.expect("=")
		num := func() uint32 { return p.u32("a number") }
		switch w.text {
		case "fn":
			owner = &pendingOwner{num: num(), tok: w}
		case "location":
			x.Location = int32(num())
		case "component":
			x.Comp = uint8(num())
		case "access":
			x.Access = kind.Access(p.enum(&kind.EnumAccess, p.next()))
		default:
			found := false
			for _, c := range varNumbers {
				if c.name == w.text {
					*c.at(&x) = num()
					found = true
				}
			}
			if !found {
				p.fail(w, "unknown property %s of a variable", w)
			}
		}
	}
	p.newline()
	p.vars[n] = p.s.NewVar(x)
	if owner != nil {
		owner.v = p.vars[n]
		p.owner = append(p.owner, *owner)
	}
}

func (p *parser) function() {
	t := p.word("a function's number")
	n := p.ref(t, "", "a function")
	if _, dup := p.fns[n]; dup {
		p.fail(t, "function %d is declared twice", n)
	}
	name := p.str("the function's name")
	p.expect("(")
	var params []ir.Param
	for !p.accept(")") {
		if len(params) > 0 {
			p.expect(",")
		}
		w := p.word("a parameter's size")
		bits, comps := p.size(w, w.text)
		params = append(params, ir.Param{Comps: comps, Bits: bits})
	}
	f := p.s.NewFunc(name, params...)
	p.fns[n] = f
	if p.isWord("entry") {
		p.at++
		p.s.SetEntry(f)
	}
	p.expect("{")
	p.newline()
	p.list(p.s.FirstBlock(f))
	p.newline()
}

// list reads nodes up to the closing brace; first is the empty block that the
// list already has.
func (p *parser) list(first ir.Node) {
	if p.depth++; p.depth > maxNest {
		p.fail(p.peek(), "ifs and loops are nested too deeply")
	}
	defer func() { p.depth-- }()
	cur := first
	named := false // the current block has been given its name
	for {
		t := p.next()
		switch {
		case t.kind == tokPunct && t.text == "}":
			if !named {
				p.fail(t, "a list of nodes ends with a block")
			}
			return
		case t.kind == tokWord && (t.text == "if" || t.text == "loop"):
			if !named {
				p.fail(t, "a block must stand before an %s", t.text)
			}
			cur = p.node(t, cur)
			named = false
		case t.kind == tokWord && p.isPunct(":"):
			if named {
				p.fail(t, "between two blocks there must be an if or a loop")
			}
			n := p.ref(t, "b", "a block")
			if _, dup := p.blocks[n]; dup {
				p.fail(t, "block b%d occurs twice", n)
			}
			p.expect(":")
			p.newline()
			p.blocks[n] = cur
			named = true
			p.b.AtEnd(cur)
		case t.kind == tokWord:
			if !named {
				p.fail(t, "expected a block's name, found %s", t)
			}
			if p.s.Jump(cur) != 0 {
				p.fail(t, "an instruction behind the jump that ends the block")
			}
			p.instr(t)
		default:
			p.fail(t, "expected an instruction, found %s", t)
		}
	}
}

func (p *parser) node(t token, cur ir.Node) ir.Node {
	hints := func(n ir.Node) {
		var h ir.LoopHints
		for !p.isPunct("{") {
			w := p.word("'{'")
			ok := false
			for i, name := range hintNames {
				if w.text == name {
					h, ok = h|1<<i, true
				}
			}
			if !ok {
				p.fail(w, "expected '{', found %s", w)
			}
		}
		p.s.SetHints(n, h)
		p.expect("{")
		p.newline()
	}
	var n ir.Node
	if t.text == "loop" {
		n = p.s.InsertLoop(cur)
		hints(n)
		p.list(p.s.Body(n))
	} else {
		n = p.s.InsertIf(cur, ir.Src{})
		ref := p.srcRef()
		p.srcs = append(p.srcs, pendingSrc{cond: n, ref: ref})
		hints(n)
		p.list(p.s.Then(n))
		if w := p.next(); w.text != "else" {
			p.fail(w, "expected 'else', found %s", w)
		}
		p.expect("{")
		p.newline()
		p.list(p.s.Else(n))
	}
	p.newline()
	return p.s.NextNode(n)
}

func (p *parser) srcRef() srcRef {
	t := p.word("a value")
	if t.text == "none" {
		return srcRef{none: true, tok: t}
	}
	base, swz, has := strings.Cut(t.text, ".")
	t2 := t
	t2.text = base
	r := srcRef{num: p.ref(t2, "%", "a value"), tok: t}
	if !has {
		return r
	}
	r.comps = []uint8{}
	for i := range len(swz) {
		c := strings.IndexByte("xyzw", swz[i])
		if c < 0 {
			p.fail(t, "bad swizzle %q", swz)
		}
		r.comps = append(r.comps, uint8(c))
	}
	if swz == "" {
		p.expect("[")
		for !p.accept("]") {
			n := p.u32("a component")
			if n > 15 {
				p.fail(t, "component %d; 0 to 15 are possible", n)
			}
			r.comps = append(r.comps, uint8(n))
		}
	}
	if len(r.comps) == 0 || len(r.comps) > 16 {
		p.fail(t, "a swizzle names 1 to 16 components")
	}
	return r
}

// opcode finds the kind and opcode that an instruction's name stands for.
func opcode(name string) (kind.Kind, uint16, bool) {
	if o, ok := op.ByName(name); ok {
		return kind.ALU, uint16(o), true
	}
	if id, ok := intrinsic.ByName(name); ok {
		return kind.Intrinsic, uint16(id), true
	}
	for k := kind.Invalid + 1; k < kind.Count; k++ {
		info := &kind.Infos[k]
		switch info.Sub {
		case kind.SubNone:
			if info.Name == name {
				return k, 0, true
			}
		case kind.SubEnum:
			if rest, ok := strings.CutPrefix(name, info.Name+"_"); ok {
				if v, ok := info.SubEnum.Value(rest); ok {
					return k, uint16(v), true
				}
			}
		}
	}
	return 0, 0, false
}

func (p *parser) instr(t token) {
	result := int64(-1)
	def := t
	if strings.HasPrefix(t.text, "%") {
		n := p.ref(t, "%", "a value")
		if _, dup := p.values[n]; dup {
			p.fail(t, "value %%%d is defined twice", n)
		}
		result = int64(n)
		p.expect("=")
		t = p.word("an instruction")
	}
	name, size, sized := strings.Cut(t.text, ".")
	k, sub, ok := opcode(name)
	if !ok {
		p.fail(t, "unknown instruction %q", name)
	}
	var bits, comps uint8
	if sized {
		bits, comps = p.size(t, size)
	}
	if (bits != 0) != (result >= 0) {
		p.fail(def, "%s: an instruction with a size has a result, and one without has none", name)
	}
	sh := kind.Infos[k].ShapeOf(sub)
	refs, list := p.sources(sh)
	p.checkCount(t, k, sub, sh, len(refs), len(list))
	words := p.fields(k, sub, sh, bits, comps, t)
	words = append(words, make([]uint32, len(list))...)
	v := p.s.New(k, sub, len(refs), len(words))
	in := p.s.At(v)
	in.Bits, in.Comps = bits, comps
	copy(p.s.Aux(v), words)
	start := len(words) - len(list)
	for i, l := range list {
		if l.tok.kind == tokWord && l.enum == nil {
			p.preds = append(p.preds, pendingWord{v, start + i, l.num, l.tok})
		} else {
			p.s.SetWord(v, start+i, l.num)
		}
	}
	p.calleeOf(v, sh)
	p.b.Insert(v)
	p.tail(v)
	for i, r := range refs {
		p.srcs = append(p.srcs, pendingSrc{user: v, i: i, ref: r})
	}
	if result >= 0 {
		p.values[uint32(result)] = v
	}
}

// checkCount refuses a wrong number of sources, so that whatever was parsed can
// be printed.
func (p *parser) checkCount(t token, k kind.Kind, sub uint16, sh *kind.Shape, n, listed int) {
	want, more := len(sh.Src), sh.Variadic
	switch k {
	case kind.ALU:
		want = int(op.Op(sub).Info().NumSrc)
	case kind.Intrinsic:
		want = intrinsic.ID(sub).Info().NumOperands()
	}
	if n < want || n > want && !more {
		p.fail(t, "%s has %d sources, not %d", t.text, want, n)
	}
	for _, f := range sh.Fields {
		if (f.Class == kind.ClassBlocks || f.Class == kind.ClassEnums) && listed != n {
			p.fail(t, "every source of %s has its %s before it", t.text, pick(f.Class == kind.ClassBlocks, "block", "kind"))
		}
	}
}

// calleeOf remembers function fields, whose functions may stand further down.
func (p *parser) calleeOf(v ir.Value, sh *kind.Shape) {
	at := 0
	for _, f := range sh.Fields {
		if f.Class == kind.ClassFunc {
			p.calls = append(p.calls, pendingWord{v, at, p.s.Word(v, at), p.toks[p.at-1]})
		}
		at += f.Class.Words()
	}
}

type listEntry struct {
	num  uint32
	enum *kind.Enum
	tok  token
}

// sources reads the sources and, where the kind has one, the list that stands
// beside them.
func (p *parser) sources(sh *kind.Shape) (refs []srcRef, list []listEntry) {
	for p.peek().kind == tokWord && (strings.HasPrefix(p.peek().text, "%") || p.peek().text == "none" || p.listed()) {
		if p.listed() {
			t := p.next()
			e := listEntry{tok: t}
			for _, f := range sh.Fields {
				if f.Class == kind.ClassEnums {
					e.enum, e.num = f.Enum, p.enum(f.Enum, t)
				}
			}
			if e.enum == nil {
				e.num = p.ref(t, "b", "a block")
			}
			p.expect(":")
			list = append(list, e)
		}
		refs = append(refs, p.srcRef())
		if !p.accept(",") {
			break
		}
	}
	if len(list) > 0 && len(list) != len(refs) {
		p.fail(p.peek(), "either every source has a name before it or none")
	}
	if len(refs) > 1<<15 {
		p.fail(p.peek(), "too many sources")
	}
	return refs, list
}

func (p *parser) listed() bool {
	t := p.toks[p.at]
	return t.kind == tokWord && p.at+1 < len(p.toks) && p.toks[p.at+1].kind == tokPunct && p.toks[p.at+1].text == ":"
}

// fields reads the name=value pairs that belong to the kind or intrinsic.
func (p *parser) fields(k kind.Kind, sub uint16, sh *kind.Shape, bits, comps uint8, t token) []uint32 {
	var fs []kind.Field
	var words []uint32
	if k == kind.Intrinsic {
		id := intrinsic.ID(sub).Info()
		for i := range int(id.NumIx) {
			fs = append(fs, indexField(id.Ix[i]))
			words = append(words, intrinsic.Indices[id.Ix[i]].Default)
		}
	} else {
		for _, f := range sh.Fields {
			n := f.Class.Words()
			if f.Class == kind.ClassData {
				n = int(comps)
				if bits == 64 {
					n *= 2
				}
			} else if n == 0 {
				continue
			}
			fs = append(fs, f)
			words = append(words, make([]uint32, n)...)
		}
	}
	for p.peek().kind == tokWord && p.at+1 < len(p.toks) && p.toks[p.at+1].text == "=" && p.peek().text != "float" {
		w := p.next()
		p.expect("=")
		at, found := 0, false
		for _, f := range fs {
			n := f.Class.Words()
			if n == 0 {
				n = len(words) - at
			}
			if f.Name == w.text {
				p.value(f, words[at:at+n])
				found = true
				break
			}
			at += n
		}
		if !found {
			p.fail(w, "%s has no field %q", t.text, w.text)
		}
	}
	return words
}

func (p *parser) value(f kind.Field, out []uint32) {
	switch f.Class {
	case kind.ClassType:
		out[0] = uint32(p.typ())
		return
	case kind.ClassData:
		p.expect("(")
		for i := range out {
			if i > 0 {
				p.expect(",")
			}
			out[i] = p.u32("a word")
		}
		p.expect(")")
		return
	}
	t := p.next()
	switch f.Class {
	case kind.ClassEnum, kind.ClassMask:
		out[0] = p.enum(f.Enum, t)
	case kind.ClassBool:
		if t.text != "true" && t.text != "false" {
			p.fail(t, "expected true or false, found %s", t)
		}
		if t.text == "true" {
			out[0] = 1
		}
	case kind.ClassVar:
		n := p.ref(t, "@", "a variable")
		v, ok := p.vars[n]
		if !ok {
			p.fail(t, "variable @%d is not declared", n)
		}
		out[0] = uint32(v)
	case kind.ClassFunc:
		out[0] = p.ref(t, "fn", "a function")
	case kind.ClassI32:
		n, err := strconv.ParseInt(t.text, 0, 32)
		if err != nil {
			p.fail(t, "%s is no signed 32-bit number", t)
		}
		out[0] = uint32(n)
	case kind.ClassU64:
		n := p.number(t, t.text, 64)
		out[0], out[1] = uint32(n), uint32(n>>32)
	default:
		out[0] = uint32(p.number(t, t.text, 32))
	}
}

// tail reads what any instruction may end with: its float mask and location.
func (p *parser) tail(v ir.Value) {
	if p.isWord("float") {
		p.at++
		p.expect("=")
		p.s.At(v).Float = uint16(p.enum(&kind.EnumFloatMask, p.next()))
	}
	if p.accept("!") {
		file := p.str("a file name")
		p.expect(":")
		line := p.u32("a line")
		p.expect(":")
		p.s.At(v).Loc = p.s.NewLoc(p.s.Intern(file), line, p.u32("a column"))
	}
	p.newline()
}

// resolve fills in what stood before what it names.
func (p *parser) resolve() {
	s := p.s
	for _, o := range p.owner {
		f, ok := p.fns[o.num]
		if !ok {
			p.fail(o.tok, "there is no function %d", o.num)
		}
		s.Var(o.v).Func = f
	}
	for _, c := range p.calls {
		f, ok := p.fns[c.num]
		if !ok {
			p.fail(c.tok, "there is no function fn%d", c.num)
		}
		s.SetWord(c.user, c.word, uint32(f))
	}
	for _, c := range p.preds {
		b, ok := p.blocks[c.num]
		if !ok {
			p.fail(c.tok, "there is no block b%d", c.num)
		}
		s.SetWord(c.user, c.word, uint32(b))
	}
	for _, x := range p.srcs {
		if x.ref.none {
			continue
		}
		v, ok := p.values[x.ref.num]
		if !ok {
			p.fail(x.ref.tok, "value %%%d is not defined", x.ref.num)
		}
		r := s.All(v)
		if x.ref.comps != nil {
			r = p.swizzle(v, x.ref)
		}
		if x.cond != 0 {
			s.SetCond(x.cond, r)
		} else {
			s.SetSrc(x.user, x.i, r)
		}
	}
}

func (p *parser) swizzle(v ir.Value, ref srcRef) ir.Src {
	z := ir.Identity
	last := uint8(0)
	for i := range 8 {
		if i < len(ref.comps) {
			last = ref.comps[i]
		}
		z = z.With(i, last)
	}
	for i, c := range ref.comps {
		if c >= p.s.At(v).Comps {
			p.fail(ref.tok, "component %d of a value that has %d", c, p.s.At(v).Comps)
		}
		if z.Comp(i) != c {
			p.fail(ref.tok, "more than 8 components are read either in order or all the same")
		}
	}
	if len(ref.comps) > 8 && z.Comp(8) != ref.comps[8] {
		z = ir.Identity
	}
	return ir.Src{Val: v, Swz: z, N: uint8(len(ref.comps))}
}
