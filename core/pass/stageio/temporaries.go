// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// OutputsToTemporaries replaces outputs with private variables, which the shader may read, index and write in any control
// flow. It copies the variables to the outputs at each return of the entry point and at its end. Members of a block
// that the shader never refers to are not written: a clip distance that the shader does not compute must not clip.
func OutputsToTemporaries(pc *pass.Context) bool {
	c := context{pc}
	s := c.S
	if !graphics(s.Info.Stage) {
		return false
	}
	used := c.referenced()
	c.settle(used)
	var list []output
	for x := range s.Vars(kind.ModeShaderOut) {
		if used[x].any && !used[x].settled {
			list = append(list, output{temporary: x})
		}
	}
	if len(list) == 0 {
		return false
	}
	for i := range list {
		o := &list[i]
		info := *s.Var(o.temporary)
		o.out = s.NewVar(info)
		temp := s.Var(o.temporary)
		temp.Mode, temp.Location, temp.Comp = kind.ModeShaderTemp, -1, 0
		temp.Index, temp.Qual, temp.Builtin = 0, 0, 0
		temp.Set, temp.Binding, temp.Offset = 0, 0, 0
	}
	c.retarget()
	c.copyAtReturns(list, used)
	return true
}

// output is an output and the private variable that replaces it.
type output struct{ temporary, out ir.Var }

// reference describes the derefs of an output.
type reference struct {
	any, whole bool
	settled    bool   // the shader uses the output as the pass would leave it
	members    []bool // members of a block
}

// referenced returns the outputs, and the members of output blocks, that derefs refer to.
func (c context) referenced() []reference {
	s := c.S
	used := make([]reference, s.NumVars())
	c.eachDeref(func(d ir.Value) {
		if s.At(d).DerefKind() == kind.DerefVar {
			x := s.DerefVar(d)
			used[x].any = true
			for u := range s.Uses(d) {
				if u.If != 0 || s.At(u.User).Kind != kind.Deref || s.At(u.User).DerefKind() != kind.DerefStruct {
					used[x].whole = true
				}
			}
			return
		}
		p := s.Src(d, 0).Val
		if s.At(d).DerefKind() != kind.DerefStruct || s.At(p).Kind != kind.Deref || s.At(p).DerefKind() != kind.DerefVar {
			return
		}
		r := &used[s.DerefVar(p)]
		if r.members == nil {
			r.members = make([]bool, s.Types.At(s.DerefType(p)).Len)
		}
		r.members[s.Words(d)[kind.FieldDerefStructMember]] = true
	})
	return used
}

// eachDeref visits derefs of outputs.
func (c context) eachDeref(f func(ir.Value)) {
	s := c.S
	for fn := range s.Funcs() {
		for b := range s.Blocks(fn) {
			for v := range s.Instrs(b) {
				if s.At(v).Kind == kind.Deref && ir.ModeMayBe(s.Modes(v), kind.ModeShaderOut) {
					f(v)
				}
			}
		}
	}
}

// ends reports whether control leaves the entry point at the end of a block.
func (c context) ends(b ir.Node) bool {
	s := c.S
	if j := s.Jump(b); j != 0 {
		return kind.JumpKind(s.At(j).Op) == kind.JumpReturn
	}
	return s.NextNode(b) == 0 && s.NodeKind(s.Parent(b)) == ir.NodeFunc
}

// settle marks outputs that need no temporary: the shader only stores to them, and only in a single final block.
func (c context) settle(used []reference) {
	s := c.S
	var last ir.Node
	n := 0
	for b := range s.Blocks(s.Entry()) {
		if c.ends(b) {
			last = b
			n++
		}
	}
	for x := range used {
		used[x].settled = n == 1
	}
	c.eachDeref(func(d ir.Value) {
		x := s.DerefVar(d)
		if s.At(d).Block() != last && !c.unread(d) || c.dynamic(d) {
			used[x].settled = false
		}
		for u := range s.Uses(d) {
			if u.If != 0 || s.At(u.User).Kind == kind.Deref && u.Index == 0 {
				continue
			}
			if s.At(u.User).Intrinsic() != intrinsic.StoreDeref || u.Index != 0 || s.At(u.User).Block() != last {
				used[x].settled = false
			}
		}
	})
}

// unread reports whether a deref is used only by other derefs and by stores.
func (c context) unread(d ir.Value) bool {
	s := c.S
	for u := range s.Uses(d) {
		if u.If != 0 || s.At(u.User).Kind != kind.Deref && s.At(u.User).Intrinsic() != intrinsic.StoreDeref {
			return false
		}
	}
	return true
}

// dynamic reports whether the last index of a deref is not constant.
func (c context) dynamic(d ir.Value) bool {
	switch c.S.At(d).DerefKind() {
	case kind.DerefVar, kind.DerefStruct:
		return false
	}
	_, known := c.S.ConstOf(c.S.Src(d, 1))
	return !known
}

// retarget changes the mode of the derefs of outputs to the mode of their temporaries.
func (c context) retarget() {
	s := c.S
	c.eachDeref(func(d ir.Value) {
		if x := s.DerefVar(d); x != 0 && s.Var(x).Mode == kind.ModeShaderTemp {
			s.Words(d)[kind.FieldDerefModes] = uint32(kind.ModeShaderTemp)
		}
	})
}

// copyAtReturns copies the temporaries to the outputs at each end of the entry point.
func (c context) copyAtReturns(list []output, used []reference) {
	s, b := c.S, c.B
	var at []ir.Node
	for n := range s.Blocks(s.Entry()) {
		if c.ends(n) {
			at = append(at, n)
		}
	}
	for _, n := range at {
		b.AtEnd(n)
		b.Loc = 0
		for _, o := range list {
			to, from := b.DerefVar(o.out), b.DerefVar(o.temporary)
			r := &used[o.temporary]
			if r.whole || r.members == nil {
				c.copy(to, from)
				continue
			}
			for i, referenced := range r.members {
				if referenced {
					c.copy(b.DerefStruct(to, i), b.DerefStruct(from, i))
				}
			}
		}
	}
}

// copy copies an object, vector by vector.
func (c context) copy(to, from ir.Value) {
	s, b := c.S, c.B
	t := s.DerefType(from)
	switch x := *s.Types.At(t); x.Kind {
	case ir.TypeStruct:
		for i := range int(x.Len) {
			c.copy(b.DerefStruct(to, i), b.DerefStruct(from, i))
		}
	case ir.TypeArray, ir.TypeMatrix:
		for i := range min(x.Len, maxLocation) {
			c.copy(b.DerefArray(to, b.Imm(i)), b.DerefArray(from, b.Imm(i)))
		}
	default:
		_, bits, n := s.Types.ScalarOf(t)
		b.StoreDeref(s.All(to), b.LoadDeref(uint8(n), bits, s.All(from), 0), 1<<n-1, 0)
	}
}
