// SPDX-License-Identifier: MIT

package texture

import (
	"jacquard.example/backend/intel/isel/memory"
	"jacquard.example/backend/intel/isel/stage"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
)

// maxTexelParams is the maximum number of parameters of a typed message: three coordinates and four components.
const maxTexelParams = 7

// typed is the typed message of an image access under construction. The first coordinate is the first payload;
// params holds the others, with room for data.
type typed struct {
	m      mir.Message
	params [maxTexelParams]mir.Operand
	lanes  mir.Flag // lanes for which it has an effect; 0 means all
	n      int
}

// image begins the message of an image access with its surface and coordinates.
func image(c *value.Context, v ir.Value, row *selector.Message) (t typed, ok bool) {
	s := c.S
	bindless, ok := form(c, v)
	if !ok {
		return t, false
	}
	t.m = mir.Message{Msg: mir.Msg{Name: row.Name, Space: row.Space, Bindless: bindless}}
	if row.Name.Info().Effect {
		t.lanes = stage.Acting(c)
	}
	if t.m.Surface, ok = memory.Surface(c, v, row.Surface, "an image"); !ok {
		return t, false
	}
	coord := row.Address.Of(s, v)
	t.m.Address, t.m.AddressLen = c.Use(coord.X(), isa.TypeUD), c.Lanes()
	for i := 1; i < texelCoords(s, v); i++ {
		t.add(c.Use(coord.Comp(i), isa.TypeUD))
	}
	return t, true
}

// form reports whether an intrinsic accesses its image by a handle. It fails if the image is given in any way
// other than by a handle or a binding table index.
func form(c *value.Context, v ir.Value) (bindless, ok bool) {
	switch c.S.TargetForm(v) {
	case kind.FormIndex:
		return false, true
	case kind.FormBindless:
		return true, handles(c, v)
	}
	c.Fail(v, "%s of an image that is not in the binding table is not supported", c.S.At(v).Intrinsic())
	return false, false
}

// handles fails for an access by handle if the machine has no such messages.
func handles(c *value.Context, v ir.Value) bool {
	if c.Target.Messages.Bindless == 0 {
		c.Fail(v, "an image accessed by a handle is not supported: %s has no messages with handles", c.Target)
		return false
	}
	return true
}

// texelCoords returns the number of coordinates of a texel: the coordinates of the shape, followed by the
// layer. The layer of an array of cubes is combined with the face, in the third coordinate.
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

// emitTyped composes the second payload and sends the message.
func emitTyped(c *value.Context, t *typed) {
	if t.n > 0 {
		t.m.Data, t.m.DataLen = c.Payload(t.params[:t.n]), t.n*c.Lanes()
	}
	stage.Effect(c, t.m, t.lanes)
}

// Texel emits the message of a texel read, write or atomic.
func Texel(c *value.Context, v ir.Value, row *selector.Message) {
	if row.Name.Info().Effect {
		c.B.Vector()
	} else {
		messageWidth(c)
	}
	t, ok := image(c, v, row)
	if !ok {
		return
	}
	comps := int(row.Comps)
	switch {
	case row.AsRead:
		comps = c.ResultComps(v)
		t.m.Orders = memory.Volatile(c, v, row.Space)
		t.m.Comps = uint8(comps)
	case row.Op != selector.NoOp:
		op, ok := memory.AtomicOp(c, v, row)
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
		texel := x.Of(c.S, v)
		for i := range comps {
			t.add(c.Use(texel.Comp(i), isa.TypeUD))
		}
	}
	if row.Result == selector.PerLane && (c.Needed[v] || row.Op == selector.NoOp) {
		t.m.Dst, t.m.DstLen = mir.V(c.RegOf(v), isa.TypeUD), comps*c.Lanes()
	}
	emitTyped(c, &t)
}

// Converts reports whether the machine converts the texels read by v from the image's format.
func Converts(c *value.Context, v ir.Value) bool {
	return !c.Target.ReadsRaw(kind.Format(c.S.Index(v, intrinsic.IxFormat)))
}
