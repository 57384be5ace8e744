package vars

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerVarCopies turns copies of whole objects into loads and stores of their vectors
// and scalars, and wildcards into one copy per element.
func LowerVarCopies(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() != intrinsic.CopyDeref {
				continue
			}
			c.B.Before(v)
			dst := c.unfold(s.SrcVal(v, 0))
			src := c.unfold(s.SrcVal(v, 1))
			c.copyObject(dst, src, kind.Access(s.Index(v, intrinsic.IxAccess)), kind.Access(s.Index(v, intrinsic.IxSrcAccess)))
			s.Remove(v)
			if c.Failed() {
				return true
			}
			changed = true
		}
	}
	return changed
}

// copyPath is a decomposed chain of derefs: its start and the steps from there, so
// that wildcards can be filled in.
type copyPath struct {
	at    ir.Value
	steps []ir.Value // derefs below, outermost first
}

// unfold splits a chain at its first wildcard.
func (c context) unfold(d ir.Value) copyPath {
	s := c.S
	var steps []ir.Value
	first := -1
	for v := d; ; v = s.SrcVal(v, 0) {
		k := s.At(v).DerefKind()
		if s.At(v).Kind != kind.Deref || k == kind.DerefVar || k == kind.DerefCast {
			break
		}
		steps = append(steps, v)
		if k == kind.DerefArrayWildcard {
			first = len(steps)
		}
	}
	if first < 0 {
		return copyPath{at: d}
	}
	steps = steps[:first]
	p := copyPath{at: s.SrcVal(steps[first-1], 0)}
	for i := len(steps) - 1; i >= 0; i-- {
		p.steps = append(p.steps, steps[i])
	}
	return p
}

// advance follows the steps up to the next wildcard.
func (c context) advance(p copyPath) copyPath {
	s := c.S
	for len(p.steps) > 0 && s.At(p.steps[0]).DerefKind() != kind.DerefArrayWildcard {
		st := p.steps[0]
		switch s.At(st).DerefKind() {
		case kind.DerefStruct:
			p.at = c.B.DerefStruct(p.at, int(s.Word(st, kind.FieldDerefStructMember)))
		default:
			p.at = c.B.DerefArray(p.at, s.Operand(st, 1))
		}
		p.steps = p.steps[1:]
	}
	return p
}

// maxCopy bounds the loads and stores that one copy may expand to.
const maxCopy = 1 << 14

func (c context) copyObject(dst, src copyPath, da, sa kind.Access) {
	n := 0
	c.copyPart(dst, src, da, sa, &n)
	if n > maxCopy {
		c.Fail("copies of more than %d values are not supported", maxCopy)
	}
}

func (c context) copyPart(dst, src copyPath, da, sa kind.Access, n *int) {
	s, b := c.S, c.B
	if *n++; *n > maxCopy {
		return
	}
	dst, src = c.advance(dst), c.advance(src)
	t := s.DerefType(dst.at)
	x := s.Types.At(t)
	if len(dst.steps) > 0 || len(src.steps) > 0 || x.Kind == ir.TypeArray || x.Kind == ir.TypeMatrix {
		for i := range x.Len {
			d, r := dst, src
			d.at, r.at = b.DerefArray(dst.at, b.Imm(i)), b.DerefArray(src.at, b.Imm(i))
			if len(d.steps) > 0 {
				d.steps = d.steps[1:]
			}
			if len(r.steps) > 0 {
				r.steps = r.steps[1:]
			}
			c.copyPart(d, r, da, sa, n)
		}
		return
	}
	if x.Kind == ir.TypeStruct {
		for i := range int(x.Len) {
			c.copyPart(copyPath{at: b.DerefStruct(dst.at, i)}, copyPath{at: b.DerefStruct(src.at, i)}, da, sa, n)
		}
		return
	}
	_, bits, comps := s.Types.ScalarOf(t)
	if comps == 0 {
		c.Fail("objects of this type cannot be copied")
		return
	}
	val := b.LoadDeref(uint8(comps), bits, s.All(src.at), sa)
	b.StoreDeref(s.All(dst.at), val, 1<<comps-1, da)
}
