package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
)

// maxTexelParams is how many parameters a typed message has at most: three coordinates and
// four components.
const maxTexelParams = 7

// typed starts the typed message of an access to an image: its surface and coordinates. The
// first coordinate is the first payload; params are the others, with room for data.
type typed struct {
	m      mir.Message
	params [maxTexelParams]mir.Operand
	lanes  mir.Flag // those for which it has an effect; 0: all
	n      int
}

// image starts the message of an access to an image.
func (c *Ctx) image(v ir.Value, row *selector.Message) (t typed, ok bool) {
	s := c.S
	bindless, ok := c.form(v)
	if !ok {
		return t, false
	}
	t.m = mir.Message{Msg: mir.Msg{Name: row.Name, Space: row.Space, Bindless: bindless}}
	if row.Name.Info().Effect {
		t.lanes = c.acting()
	}
	if t.m.Surface, ok = c.surface(v, row.Surface, "an image"); !ok {
		return t, false
	}
	coord := row.Address.Of(s, v)
	t.m.Address, t.m.AddressLen = c.Use(coord.X(), isa.TypeUD), c.lanes()
	for i := 1; i < texelCoords(s, v); i++ {
		t.add(c.Use(coord.Comp(i), isa.TypeUD))
	}
	return t, true
}

// form reports whether an intrinsic has its image by a handle. Other images must be in the
// binding table.
func (c *Ctx) form(v ir.Value) (bindless, ok bool) {
	switch c.S.TargetForm(v) {
	case kind.FormIndex:
		return false, true
	case kind.FormBindless:
		return true, c.handles(v)
	}
	c.Fail(v, "%s of an image that is not in the binding table is not supported", c.S.At(v).Intrinsic())
	return false, false
}

// handles refuses an access by a handle if the machine has none.
func (c *Ctx) handles(v ir.Value) bool {
	if c.Target.Messages.Bindless == 0 {
		c.Fail(v, "an image by a handle is not supported: %s has no messages with handles", c.Target)
		return false
	}
	return true
}

// texelCoords is the number of coordinates of a texel: those of the shape, then the layer.
// The layer of an array of cubes is in the third, with the face.
func texelCoords(s *ir.Shader, v ir.Value) int {
	dim := kind.ImageDim(s.Index(v, intrinsic.IxImageDim))
	n := ir.CoordComps(dim)
	if s.Index(v, intrinsic.IxImageArray) != 0 && dim != kind.DimCube {
		n++
	}
	return n
}

func (t *typed) add(o mir.Operand) {
	t.params[t.n] = o
	t.n++
}

// emit composes the second payload and sends the message.
func (c *Ctx) emitTyped(t *typed) {
	if t.n > 0 {
		t.m.Data, t.m.DataLen = c.payload(t.params[:t.n]), t.n*c.lanes()
	}
	c.effect(t.m, t.lanes)
}

// payload puts parameters side by side for the message that is emitted next.
func (c *Ctx) payload(params []mir.Operand) mir.Operand {
	if len(params) == 1 {
		return params[0]
	}
	p := mir.V(c.paramReg(len(params)), isa.TypeUD)
	c.B.Compose(p, params...)
	return p
}

// resultComps returns the number of components that the register of a value holds. Reads of texels and
// queries return the components up to the last one that is read.
func (c *Ctx) resultComps(v ir.Value) int {
	if m := c.sel.Message(v); m == nil || !m.AsRead && m.Component == 0 {
		return int(c.S.At(v).Comps)
	}
	n := 1
	for u := range c.S.Uses(v) {
		if u.If != 0 {
			continue
		}
		r := c.S.UseSrc(u)
		for i := range int(r.N) {
			n = max(n, int(r.Swz.Comp(i))+1)
		}
	}
	return n
}

// texel emits the message of a read, a write or an atomic on a texel.
func (c *Ctx) texel(v ir.Value, row *selector.Message) {
	if row.Name.Info().Effect {
		c.B.Vector()
	} else {
		c.messageWidth()
	}
	t, ok := c.image(v, row)
	if !ok {
		return
	}
	comps := int(row.Comps)
	switch {
	case row.AsRead:
		comps = c.resultComps(v)
		t.m.Orders = c.volatile(v, row.Space)
		t.m.Comps = uint8(comps)
	case row.Op != selector.NoOp:
		op, ok := c.atomicOp(v, row)
		code := c.Target.Messages.Atomic(op)
		if !ok || code == nil || code.Int == 0 {
			c.Fail(v, "%v on texels of type %v is not supported", c.S.At(v).Intrinsic(), kind.BaseType(c.S.Index(v, intrinsic.IxTexelBase)))
			return
		}
		comps, t.m.Op = 1, uint8(code.Int)
	default:
		t.m.Comps = uint8(comps)
	}
	for _, x := range row.Operands() {
		value := x.Of(c.S, v)
		for i := range comps {
			t.add(c.Use(value.Comp(i), isa.TypeUD))
		}
	}
	if row.Result == selector.PerLane && (c.needed[v] || row.Op == selector.NoOp) {
		t.m.Dst, t.m.DstLen = mir.V(c.regOf(v), isa.TypeUD), comps*c.lanes()
	}
	c.emitTyped(&t)
}

// Converts reports whether the machine converts the texels that v reads from the format of the image.
func (c *Ctx) Converts(v ir.Value) bool {
	return !c.Target.ReadsRaw(kind.Format(c.S.Index(v, intrinsic.IxFormat)))
}
