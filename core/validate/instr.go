// SPDX-License-Identifier: MIT

package validate

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// vectors has a bit for each valid number of components: the numbers for which there are opcodes that build vectors.
const vectors = 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<5 | 1<<8 | 1<<16

// maxSlots bounds the slots of inputs and of outputs; no numbering has as many.
const maxSlots = 1 << 14

func validBits(b uint8) bool { return op.SizeOf(b) != 0 }

// instr runs the checks for all instructions, then the checks for its kind.
func (c *checker) instr(v ir.Value, bi int) {
	s := c.s
	in := s.At(v)
	c.need(in.Kind > kind.Invalid && in.Kind < kind.Count, "kind", "unknown kind of instruction")
	info := &kind.Infos[in.Kind]
	sh := info.ShapeOf(in.Op)
	if sh == nil {
		c.fail("opcode", "unknown %s", info.Name)
	}
	switch info.Result {
	case kind.ResultAlways:
		c.need(in.HasResult(), "result", "it must have a result")
	case kind.ResultNever:
		c.need(!in.HasResult(), "no-result", "it must not have a result")
		c.need(!in.Used(), "no-result-uses", "something reads its result, but it has none")
	}
	if in.HasResult() {
		if !validBits(in.Bits) {
			c.fail("result-bits", "%d is not a bit size", in.Bits)
		}
		if in.Comps > 16 || vectors>>in.Comps&1 == 0 {
			c.fail("result-comps", "%d components; must be 1 to 5, 8 or 16", in.Comps)
		}
	}
	if in.Kind != kind.ALU && in.Kind != kind.Intrinsic {
		if !(int(in.NSrc) >= len(sh.Src) && (sh.Variadic || int(in.NSrc) == len(sh.Src))) {
			c.fail("src-count", "it has %d sources", in.NSrc)
		}
		c.fields(v, sh)
	}
	c.sources(v, bi)
	switch in.Kind {
	case kind.ALU:
		c.alu(v)
	case kind.Intrinsic:
		c.intrinsic(v)
	case kind.Deref:
		c.deref(v)
	case kind.Tex:
		c.tex(v)
	case kind.LoadConst:
		c.loadConst(v)
	case kind.Phi:
		c.phi(v, bi)
	case kind.Call:
		c.call(v)
	case kind.Jump:
		c.jump(v)
	}
}

// fields checks the words of an instruction.
func (c *checker) fields(v ir.Value, sh *kind.Shape) {
	s := c.s
	in := s.At(v)
	aux := s.Words(v)
	for _, f := range sh.Fields {
		n := f.Class.Words()
		switch f.Class {
		case kind.ClassData:
			n = int(in.Comps)
			if in.Bits == 64 {
				n *= 2
			}
		case kind.ClassBlocks, kind.ClassEnums:
			n = int(in.NSrc)
		}
		if len(aux) < n {
			c.fail("field-count", "words for field %s are missing", f.Name)
		}
		for _, w := range aux[:n] {
			c.word(f, w)
		}
		aux = aux[n:]
	}
	if len(aux) != 0 {
		c.fail("field-count", "%d words too many", len(aux))
	}
}

func (c *checker) word(f kind.Field, w uint32) {
	s := c.s
	switch f.Class {
	case kind.ClassBool:
		if w > 1 {
			c.fail("field-bool", "%s is %d; must be 0 or 1", f.Name, w)
		}
	case kind.ClassEnum, kind.ClassEnums:
		if int(w) >= len(f.Enum.Names) {
			c.fail("field-enum", "%s has no value %d", f.Enum.Name, w)
		}
	case kind.ClassMask:
		if w>>len(f.Enum.Names) != 0 {
			c.fail("field-mask", "%s has no bits %#x", f.Enum.Name, w)
		}
	case kind.ClassType:
		if int(w) >= s.Types.Num() {
			c.fail("field-type", "%s does not name a type", f.Name)
		}
	case kind.ClassVar:
		if w == 0 || int(w) >= s.NumVars() || s.Var(ir.Var(w)).Removed {
			c.fail("field-var", "%s does not name a variable", f.Name)
		}
	case kind.ClassFunc:
		if w == 0 || int(w) >= s.NumFuncs() || s.Func(ir.Func(w)).Node == 0 {
			c.fail("field-func", "%s does not name a function", f.Name)
		}
	case kind.ClassBlocks:
		if int(w) >= s.NumNodes() || s.NodeKind(ir.Node(w)) != ir.NodeBlock {
			c.fail("field-block", "%s does not name a block", f.Name)
		}
	}
}

// sources checks that the definition of every source dominates the instruction, and that the source has the components
// that are read.
func (c *checker) sources(v ir.Value, bi int) {
	s := c.s
	in := s.At(v)
	if in.Kind == kind.ALU {
		if in.NSrc != uint16(in.ALUOp().Info().NumSrc) {
			c.fail("src-count", "%s has %d sources, not %d", in.ALUOp(), in.ALUOp().Info().NumSrc, in.NSrc)
		}
	}
	if in.Kind == kind.Intrinsic {
		if int(in.NSrc) != in.Intrinsic().Info().NumOperands() {
			c.fail("src-count", "%s has %d sources, not %d", in.Intrinsic(), in.Intrinsic().Info().NumOperands(), in.NSrc)
		}
	}
	for i := range int(in.NSrc) {
		x := s.Src(v, i).Val
		if x == 0 || int(x) >= s.NumValues() {
			c.fail("src-set", "source %d is not set", i)
		}
		from := s.At(x)
		if from.Kind == kind.Invalid {
			c.fail("src-set", "source %d is not set", i)
		}
		r := s.Src(v, i)
		for k := range int(r.N) {
			if r.Swz.Comp(k) >= from.Comps {
				c.fail("src-comp", "source %d reads component %d of a value that has %d", i, r.Swz.Comp(k), from.Comps)
			}
		}
		if in.Kind == kind.Deref && i == 0 || in.Kind == kind.Call || in.Kind == kind.ParallelCopy {
			for k := range int(r.N) {
				if int(r.Swz.Comp(k)) != k {
					c.fail("src-whole", "source %d must be read whole, without swizzle", i)
				}
			}
		}
		if in.Kind != kind.Phi {
			c.dominates(x, from, bi, c.order[v], "src-dominates")
		}
	}
}

func (c *checker) alu(v ir.Value) {
	s := c.s
	in := s.At(v)
	info := in.ALUOp().Info()
	if info.Has(op.Derivative) {
		c.derivative()
	}
	if info.Out.Comps != 0 {
		if in.Comps != info.Out.Comps {
			c.fail("alu-comps", "%s has %d result components, not %d", info.Name, info.Out.Comps, in.Comps)
		}
	}
	bits := uint8(0)
	for i := range int(in.NSrc) {
		b := s.At(s.Src(v, i).Val).Bits
		if want := info.Src[i].Bits; want != 0 {
			if b != want {
				c.fail("alu-src-bits", "source %d of %s has %d bits, not %d", i, info.Name, want, b)
			}
			continue
		}
		if bits != 0 && b != bits {
			c.fail("alu-same-bits", "the sources of %s must have the same bit size, not %d and %d", info.Name, bits, b)
		}
		bits = b
	}
	if bits != 0 {
		if info.Sizes&op.SizeOf(bits) == 0 {
			c.fail("alu-size", "%s is not defined at %d bits", info.Name, bits)
		}
	}
	want := info.Out.Bits
	if want == 0 {
		want = bits
	}
	if want != 0 && in.Bits != want {
		c.fail("alu-out-bits", "the result of %s has %d bits, not %d", info.Name, want, in.Bits)
	}
}

func (c *checker) loadConst(v ir.Value) {
	in := c.s.At(v)
	for i := range int(in.Comps) {
		if in.Bits != 64 && c.s.Const(v, i)>>in.Bits != 0 {
			c.fail("const-bits", "component %d has bits above its size", i)
		}
	}
}

func (c *checker) phi(v ir.Value, bi int) {
	s := c.s
	in := s.At(v)
	preds := c.cfg.Preds(bi)
	if int(in.NSrc) != len(preds) {
		c.fail("phi-count", "a phi must have one source for each predecessor: %d, not %d", len(preds), in.NSrc)
	}
	for i := range int(in.NSrc) {
		p := c.cfg.Index[s.PhiPred(v, i)]
		found := false
		for _, q := range preds {
			found = found || p == q
		}
		if !found {
			c.fail("phi-pred", "source %d comes from a block that is not a predecessor", i)
		}
		for k := range i {
			c.need(s.PhiPred(v, k) != s.PhiPred(v, i), "phi-twice", "two sources come from one block")
		}
		x := s.Src(v, i).Val
		if s.At(x).Bits != in.Bits {
			c.fail("phi-bits", "source %d has %d bits, but the phi has %d", i, s.At(x).Bits, in.Bits)
		}
		d := s.At(x)
		c.dominates(x, d, int(p), 1<<30, "phi-dominates")
		if d.Kind == kind.Deref {
			if ir.ModeMayBe(s.Modes(x), kind.ModeShaderIn|kind.ModeShaderOut|kind.ModeUniform|kind.ModeImage) {
				c.fail("phi-deref", "a phi must not have a pointer of mode %s", s.Modes(x))
			}
		}
	}
}

func (c *checker) call(v ir.Value) {
	s := c.s
	in := s.At(v)
	f := ir.Func(s.Words(v)[kind.FieldCallCallee])
	ps := s.Func(f).Params
	if len(ps) != int(in.NSrc) {
		c.fail("call-count", "%s has %d parameters, not %d", s.Strs.Text(s.Func(f).Name), len(ps), in.NSrc)
	}
	for i, p := range ps {
		x := s.At(s.Src(v, i).Val)
		if x.Bits != p.Bits || x.Comps != p.Comps {
			c.fail("call-size", "argument %d is %dx%d, but the parameter is %dx%d", i, x.Bits, x.Comps, p.Bits, p.Comps)
		}
	}
}

func (c *checker) jump(v ir.Value) {
	s := c.s
	in := s.At(v)
	c.need(in.Next() == 0, "jump-last", "a jump must be the last instruction of its block")
	if k := kind.JumpKind(in.Op); k == kind.JumpBreak || k == kind.JumpContinue {
		c.need(s.LoopOf(in.Block()) != 0, "jump-loop", "it is not inside a loop")
	}
}

func (c *checker) intrinsic(v ir.Value) {
	s := c.s
	in := s.At(v)
	id := in.Intrinsic()
	info := id.Info()
	if int(in.NAux) != int(info.NumIx) {
		c.fail("field-count", "%s has %d indices, not %d", info.Name, info.NumIx, in.NAux)
	}
	if !info.Stages.Has(uint32(s.Info.Stage)) {
		c.fail("intrinsic-stage", "%s is not allowed in a %s shader", info.Name, s.Info.Stage)
	}
	if in.HasResult() != info.HasDest {
		c.fail("intrinsic-result", "%s %s a result", info.Name, mustHave(info.HasDest))
	}
	if !info.HasDest {
		c.need(!in.Used(), "no-result-uses", "something reads its result, but it has none")
	}
	if info.DestComps != 0 {
		if in.Comps != info.DestComps {
			c.fail("intrinsic-dest", "%s has %d result components, not %d", info.Name, info.DestComps, in.Comps)
		}
	}
	if info.Bits != 0 {
		if op.Sizes(info.Bits)&op.SizeOf(in.Bits) == 0 {
			c.fail("intrinsic-bits", "the result of %s cannot have %d bits", info.Name, in.Bits)
		}
	}
	for i := range int(info.NumSrc) {
		have := s.At(s.Src(v, i).Val).Bits
		switch x := &info.Src[i]; {
		case x.Same && have != in.Bits:
			c.fail("intrinsic-src-bits", "source %d of %s has %d bits, but the result has %d", i, info.Name, have, in.Bits)
		case x.Bits != 0 && op.Sizes(x.Bits)&op.SizeOf(have) == 0:
			c.fail("intrinsic-src-bits", "source %d of %s cannot have %d bits", i, info.Name, have)
		}
	}
	for i := range int(info.NumIx) {
		c.index(v, info.Ix[i], s.Words(v)[i])
	}
	if id.Slot(intrinsic.IxIOBuiltin) >= 0 {
		base, n := int32(s.Index(v, intrinsic.IxBase)), s.Index(v, intrinsic.IxRange)
		if base < 0 || n == 0 || uint64(base)+uint64(n) > maxSlots {
			c.fail("slots", "the range of slots from %d to %d is empty or exceeds 0 to %d", base, int64(base)+int64(n)-1, maxSlots-1)
		}
	}
	if id.Slot(intrinsic.IxWriteMask) >= 0 {
		w := s.Index(v, intrinsic.IxWriteMask)
		if w == 0 || w>>in.Comps != 0 {
			c.fail("write-mask", "write mask %#x has no bits, or bits beyond the %d components of the value", w, in.Comps)
		}
	}
	if id.Slot(intrinsic.IxAlignMul) >= 0 {
		mul, off := s.Index(v, intrinsic.IxAlignMul), s.Index(v, intrinsic.IxAlignOffset)
		if mul == 0 || mul&(mul-1) != 0 || off >= mul {
			c.fail("align", "align_mul %d, align_offset %d: the first must be a power of two greater than the second", mul, off)
		}
	}
	if id.Slot(intrinsic.IxClusterSize) >= 0 {
		n := s.Index(v, intrinsic.IxClusterSize)
		c.need(n&(n-1) == 0, "cluster-size", "the cluster size must be a power of two, or 0 for the whole subgroup")
	}
	for m, i := derefSources[id], 0; m != 0; m, i = m>>1, i+1 {
		c.need(m&1 == 0 || s.At(s.Src(v, i).Val).Kind == kind.Deref, "access-deref",
			"memory must be accessed through a deref; a cast turns a pointer value into one")
	}
	switch id {
	case intrinsic.LoadReg, intrinsic.StoreReg:
		r := s.Index(v, intrinsic.IxReg)
		if r == 0 || r >= s.Regs.Num() {
			c.fail("reg", "register %d does not exist", r)
		}
		bits := in.Bits
		if id == intrinsic.StoreReg {
			bits = s.At(s.Src(v, 0).Val).Bits
		}
		if s.Regs.At(r).Bits != bits || s.Regs.At(r).Comps != in.Comps {
			c.fail("reg-size", "register %d has another size, %dx%d", r, s.Regs.At(r).Bits, s.Regs.At(r).Comps)
		}
	case intrinsic.LoadParam:
		p := s.Index(v, intrinsic.IxParam)
		ps := s.Func(c.f).Params
		if int(p) >= len(ps) {
			c.fail("param", "there is no parameter %d; the function has %d", p, len(ps))
		}
		if ps[p].Bits != in.Bits || ps[p].Comps != in.Comps {
			c.fail("param-size", "parameter %d has another size, %dx%d", p, ps[p].Bits, ps[p].Comps)
		}
	case intrinsic.LoadDeref, intrinsic.StoreDeref, intrinsic.DerefAtomic, intrinsic.DerefAtomicSwap:
		c.accessDeref(v)
	case intrinsic.DerefBufferArrayLength:
		d := s.Src(v, 0).Val
		c.need(s.Modes(d) == kind.ModeSSBO, "length-mode", "only arrays in storage buffers have a length unknown to the shader")
		x := s.Types.At(s.DerefType(d))
		c.need(x.Kind == ir.TypeArray && x.Len == 0, "length-type", "it is not a runtime array")
	case intrinsic.CopyDeref:
		c.copyDeref(v)
	}
	if info.Target != intrinsic.TargetNone {
		c.target(v)
	}
}

// derefSources has a bit for each source of an intrinsic that is a deref, by the names of sources in the tables.
var derefSources = func() (out [intrinsic.Count]uint8) {
	for id := range intrinsic.Count {
		for i, src := range intrinsic.ID(id).Info().Src {
			if src.Any && (src.Name == "deref" || src.Name == "dst" || src.Name == "src") {
				out[id] |= 1 << i
			}
		}
	}
	return out
}()

// enumOf has the enumeration of each index, or nil for numbers.
var enumOf = func() (out [len(intrinsic.Indices)]*kind.Enum) {
	for i := range intrinsic.Indices {
		for _, e := range kind.Enums {
			if e.Name == intrinsic.Indices[i].Enum {
				out[i] = e
			}
		}
	}
	return out
}()

// index checks the value of a constant index.
func (c *checker) index(v ir.Value, ix intrinsic.Index, w uint32) {
	info := &intrinsic.Indices[ix]
	switch e := enumOf[ix]; {
	case e == nil:
	case e.Mask:
		if w>>len(e.Names) != 0 {
			c.fail("index-mask", "index %s has no bits %#x", info.Name, w)
		}
	case int(w) >= len(e.Names):
		c.fail("index-enum", "index %s has no value %d", info.Name, w)
	}
	if info.Class == "u32" && w > info.Max {
		c.fail("index-max", "index %s is %d; must be at most %d", info.Name, w, info.Max)
	}
	if info.Class == "bool" {
		if w > 1 {
			c.fail("index-bool", "index %s is %d; must be 0 or 1", info.Name, w)
		}
	}
}

// accessDeref checks that the size of a load or store matches the type that its deref points to.
func (c *checker) accessDeref(v ir.Value) {
	s := c.s
	d := s.Src(v, 0).Val
	in := s.At(v)
	_, bits, n := s.Types.ScalarOf(s.DerefType(d))
	c.need(n != 0, "access-type", "only vectors and scalars can be loaded and stored")
	have := in.Bits
	if in.Intrinsic() == intrinsic.StoreDeref {
		have = s.At(s.Src(v, 1).Val).Bits
	}
	if uint32(in.Comps) != n || have != bits {
		c.fail("access-size", "it is %dx%d, but the memory is %dx%d", have, in.Comps, bits, n)
	}
}

// target checks the image or texture operand.
func (c *checker) target(v ir.Value) {
	s := c.s
	id := s.At(v).Intrinsic()
	if id.Info().Atomic >= 0 && id.Slot(intrinsic.IxTexelBase) >= 0 {
		base := kind.BaseType(s.Index(v, intrinsic.IxTexelBase))
		_, ok := atomic.Texel(id, base)
		c.need(ok, "target-atomic", "texels of type %s have no such atomic", base)
	}
	t := s.Src(v, int(s.At(v).NSrc)-1).Val
	if s.TargetForm(v) != kind.FormDeref {
		c.need(s.At(t).Comps == 1, "target-scalar", "the target must be a scalar: an index or a handle")
		c.need(s.At(t).Bits == 32 || s.TargetForm(v) != kind.FormBindless, "target-handle", "a handle has 32 bits")
		return
	}
	c.need(s.At(t).Kind == kind.Deref, "target-deref", "the target must be a deref of an image variable")
	x := s.Types.At(s.DerefType(t))
	c.need(x.Kind == ir.TypeImage, "target-image", "the target is not an image")
	c.need(x.Storage, "target-storage", "the target is not a storage image")
}
