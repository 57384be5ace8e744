package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
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
func (c *Ctx) image(v ir.Value, name message.Name) (t typed, ok bool) {
	s := c.S
	bindless, ok := c.form(v)
	if !ok {
		return t, false
	}
	t.m = mir.Message{Msg: mir.Msg{Name: name, Space: message.Image, Bindless: bindless}}
	if name.Info().Effect {
		t.lanes = c.acting()
	}
	if !c.Target.Messages.Does(name) {
		c.Fail(v, "%s is not supported: %s has no message for it", s.At(v).Intrinsic(), c.Target)
		return t, false
	}
	if t.m.Surface, ok = c.surface(v, int(s.At(v).NSrc)-1, "an image"); !ok {
		return t, false
	}
	coord := c.src(v, intrinsic.RoleCoord)
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

// resultComps is the number of components of a value that its register holds: of a texel,
// those up to the last one that is read.
func (c *Ctx) resultComps(v ir.Value) int {
	in := c.S.At(v)
	switch id := in.Intrinsic(); {
	case in.Kind == kind.Tex, id == intrinsic.ImageLoad, id == intrinsic.ImageLoadRaw, id == intrinsic.ImageSize:
	default:
		return int(in.Comps)
	}
	n := 1
	for u := range c.S.Uses(v) {
		if u.If != 0 {
			continue
		}
		r := c.S.Operand(u.User, u.Index)
		for i := range int(r.N) {
			n = max(n, int(r.Swz.Comp(i))+1)
		}
	}
	return n
}

// imageLoad reads a texel, or its bits.
func (c *Ctx) imageLoad(v ir.Value) {
	c.messageWidth()
	t, ok := c.image(v, message.TypedRead)
	if !ok {
		return
	}
	if f := kind.Format(c.S.Index(v, intrinsic.IxFormat)); c.S.At(v).Intrinsic() == intrinsic.ImageLoad && c.Target.ReadsRaw(f) {
		c.Fail(v, "%s does not convert texels of format %s, and no pass has lowered the load", c.Target, f)
		return
	}
	n := c.resultComps(v)
	t.m.Comps = uint8(n)
	t.m.Orders = c.volatile(v, message.Image)
	t.m.Dst, t.m.DstLen = mir.V(c.regOf(v), isa.TypeUD), n*c.lanes()
	c.emitTyped(&t)
}

// imageStore writes a texel: always four components, as the hardware's compilers do; the
// format of the image says which count.
func (c *Ctx) imageStore(v ir.Value) {
	c.B.Vector()
	t, ok := c.image(v, message.TypedWrite)
	if !ok {
		return
	}
	value := c.src(v, intrinsic.RoleValue)
	if bits := c.S.At(value.Val).Bits; bits != 32 {
		c.Fail(v, "stores of texels of %d bits are not supported", bits)
		return
	}
	for i := range 4 {
		t.add(c.Use(value.Comp(i), isa.TypeUD))
	}
	t.m.Comps = 4
	c.emitTyped(&t)
}

// imageAtomic changes a texel.
func (c *Ctx) imageAtomic(v ir.Value) {
	c.B.Vector()
	t, ok := c.image(v, message.TypedAtomic)
	if !ok {
		return
	}
	in := c.S.At(v)
	base := kind.BaseType(c.S.Index(v, intrinsic.IxTexelBase))
	op, ok := atomic.Texel(in.Intrinsic(), base)
	code := c.Target.Messages.Atomic(op)
	if !ok || code == nil || code.Int == 0 || in.Bits != 32 {
		c.Fail(v, "%v on texels of type %v at %d bits is not supported", in.Intrinsic(), base, in.Bits)
		return
	}
	t.m.Op = uint8(code.Int)
	if in.Intrinsic().Source(intrinsic.RoleCompare) >= 0 {
		t.add(c.Use(c.src(v, intrinsic.RoleCompare).X(), isa.TypeUD))
	}
	t.add(c.Use(c.src(v, intrinsic.RoleData).X(), isa.TypeUD))
	if c.needed[v] {
		t.m.Dst, t.m.DstLen = mir.V(c.regOf(v), isa.TypeUD), c.lanes()
	}
	c.emitTyped(&t)
}
