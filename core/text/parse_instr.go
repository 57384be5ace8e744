package text

import (
	"strconv"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

type listEntry struct {
	num  uint32
	enum *kind.Enum
	tok  token
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
			p.calls = append(p.calls, pendingWord{v, at, p.s.Word(v, at), p.prev})
		}
		at += f.Class.Words()
	}
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
		if refs = append(refs, p.srcRef()); len(refs) > 1<<15 {
			p.fail(p.peek(), "too many sources")
		}
		if !p.accept(",") {
			break
		}
	}
	if len(list) > 0 && len(list) != len(refs) {
		p.fail(p.peek(), "either every source has a name before it or none")
	}
	return refs, list
}

func (p *parser) listed() bool {
	t := p.cur
	return t.kind == tokWord && p.ahead.kind == tokPunct && p.ahead.text == ":"
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
	for p.peek().kind == tokWord && p.ahead.text == "=" && p.peek().text != "float" {
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
		p.next()
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
