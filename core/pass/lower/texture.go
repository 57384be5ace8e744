// SPDX-License-Identifier: MIT

package lower

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// LowerTextures replaces texture operations and queries of sizes with operations that samplers have messages for:
//
//   - directions into a cube are divided by their longest component;
//   - an image of shape Rect becomes a 2D image whose coordinates are divided by its size;
//   - a load from an input attachment becomes a fetch at the fragment's pixel, and a load from a multisampled storage
//     image a fetch of the sample; where only samplers read images, so does any load that need not see writes;
//   - the offset of a fetch is added to its coordinates;
//   - operations whose descriptors may differ within a quad get derivatives as sources;
//   - derivatives on a cube, derivatives together with a minimum level of detail, and derivatives that the sampler has no
//     place for become an explicit level of detail; a minimum then ignores that the sampler's bias is not bounded;
//   - an offset of a gather that is not a constant is added to the coordinates where the sampler has no place for it;
//   - the size of a level is computed from the size of level 0; an image bound with layers has
//     at least one unless it has no size; and a storage image of cubes is an array of faces.
func LowerTextures(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			switch in := s.At(v); {
			case in.Kind == kind.Tex:
				changed = c.texture(v) || changed
			case in.Kind == kind.Intrinsic && in.Intrinsic() == intrinsic.ImageSize:
				changed = c.imageSize(v) || changed
			case in.Kind == kind.Intrinsic && in.Intrinsic() == intrinsic.ImageLoad:
				changed = c.fetched(v) || changed
			}
		}
	}
	return changed
}

// texture lowers a texture operation, and reports whether it changed. An operation with an implicit level of detail that
// may be executed for parts of a quad at a time first gets derivatives as sources.
func (c context) texture(v ir.Value) bool {
	s := c.S
	c.B.Before(v)
	if s.Tex(v).Dim() == kind.DimRect {
		c.rect(v)
		return true
	}
	cube := s.Tex(v).Dim() == kind.DimCube
	switch o := kind.TexOp(s.At(v).Op); o {
	case kind.TexTxs:
		return c.levelSize(v)
	case kind.TexTxf, kind.TexTxfMs:
		return c.fetchOffset(v)
	case kind.TexTxd:
		if cube || s.Tex(v).Source(kind.TexSrcMinLOD) >= 0 || c.crowded(v) {
			c.explicitLOD(v)
			return true
		}
	case kind.TexTg4:
		if c.Target().Can(target.PackedParams) && ir.FarOffset(s, v, s.ConstOf) {
			c.gatherOffset(v)
			return true
		}
	case kind.TexTex, kind.TexTxb:
		if s.Tex(v).Flags()&kind.TexFlagNonUniform != 0 {
			return c.explicitDerivatives(v)
		}
	case kind.TexTxl:
		if i := s.Tex(v).Source(kind.TexSrcMinLOD); i >= 0 {
			t := c.texOf(v)
			t.set(kind.TexSrcLOD, c.B.FMax(t.get(kind.TexSrcLOD), s.Src(v, i)))
			t.remove(kind.TexSrcMinLOD)
			c.replace(v, t)
			return true
		}
	}
	if i := s.Tex(v).Source(kind.TexSrcCoord); cube && i >= 0 {
		s.SetSrc(v, i, c.onCube(s.Src(v, i)))
		return true
	}
	return false
}

// crowded reports whether the sampler has no place for the coordinates of an operation with derivatives.
func (c context) crowded(v ir.Value) bool {
	t := c.S.Tex(v)
	layered := t.Flags()&kind.TexFlagArray != 0 && t.Flags()&kind.TexFlagShadow != 0
	return t.Dim() == kind.Dim3D && c.Target().Can(target.PlanarDerivatives) || layered && c.Target().Can(target.PackedParams)
}

// gatherOffset adds the offset of a gather, in texels, to its coordinates, which are fractions of the size.
func (c context) gatherOffset(v ir.Value) {
	b, t := c.B, c.texOf(v)
	offset, size := t.get(kind.TexSrcOffset), c.sizeOf(t)
	t.set(kind.TexSrcCoord, c.with(t.get(kind.TexSrcCoord), func(i int, x ir.Src) ir.Src {
		if i >= int(offset.N) {
			return x
		}
		return b.FAdd(x, b.FMul(b.I2F32(offset.Comp(i)), b.FRcp(b.U2F32(size.Comp(i)))))
	}))
	t.remove(kind.TexSrcOffset)
	c.replace(v, t)
}

// tex is a texture operation under construction. Its sources are sorted by kind.
type tex struct {
	op        kind.TexOp
	comps     uint8
	bits      uint8
	dim       kind.ImageDim
	flags     kind.TexFlag
	base      kind.BaseType
	component uint32
	kinds     []kind.TexSrc
	sources   []ir.Src
}

// texOf returns a copy of a texture operation.
func (c context) texOf(v ir.Value) *tex {
	s := c.S
	in := s.At(v)
	t := &tex{op: kind.TexOp(in.Op), comps: in.Comps, bits: in.Bits, dim: s.Tex(v).Dim(), flags: s.Tex(v).Flags(),
		base: kind.BaseType(s.Words(v)[kind.FieldTexDestBase]), component: s.Words(v)[kind.FieldTexComponent]}
	for i := range int(in.NSrc) {
		t.kinds = append(t.kinds, s.Tex(v).Kind(i))
		t.sources = append(t.sources, s.Src(v, i))
	}
	return t
}

func (t *tex) get(k kind.TexSrc) ir.Src {
	if i := slices.Index(t.kinds, k); i >= 0 {
		return t.sources[i]
	}
	return ir.Src{}
}

func (t *tex) set(k kind.TexSrc, x ir.Src) {
	i, ok := slices.BinarySearch(t.kinds, k)
	if !ok {
		t.kinds = slices.Insert(t.kinds, i, k)
		t.sources = slices.Insert(t.sources, i, ir.Src{})
	}
	t.sources[i] = x
}

func (t *tex) remove(kinds ...kind.TexSrc) {
	for _, k := range kinds {
		if i := slices.Index(t.kinds, k); i >= 0 {
			t.kinds = slices.Delete(t.kinds, i, i+1)
			t.sources = slices.Delete(t.sources, i, i+1)
		}
	}
}

// insert inserts a texture operation at the cursor.
func (c context) insert(t *tex) ir.Src {
	s := c.S
	v := s.New(kind.Tex, uint16(t.op), len(t.sources), kind.FieldTexSourceKinds+len(t.sources))
	in := s.At(v)
	in.Loc = c.B.Loc
	in.Bits, in.Comps = t.bits, t.comps
	s.Words(v)[kind.FieldTexDim] = uint32(t.dim)
	s.Words(v)[kind.FieldTexFlags] = uint32(t.flags)
	s.Words(v)[kind.FieldTexDestBase] = uint32(t.base)
	s.Words(v)[kind.FieldTexComponent] = t.component
	for i, x := range t.sources {
		s.Words(v)[kind.FieldTexSourceKinds+i] = uint32(t.kinds[i])
		s.SetSrc(v, i, x)
	}
	c.B.Insert(v)
	return s.All(v)
}

// replace replaces v with another operation with the same result.
func (c context) replace(v ir.Value, t *tex) {
	c.S.ReplaceUses(v, c.insert(t))
	c.S.Remove(v)
}

// with returns the vector of the components of x after change.
func (c context) with(x ir.Src, change func(i int, x ir.Src) ir.Src) ir.Src {
	var parts [4]ir.Src
	for i := range int(x.N) {
		parts[i] = change(i, x.Comp(i))
	}
	return pass.Vec(c.B, parts[:x.N])
}

// onCube divides a direction by its longest component; a layer is kept.
func (c context) onCube(coord ir.Src) ir.Src {
	b := c.B
	longest := b.FMax(b.FMax(b.FAbs(coord.Comp(0)), b.FAbs(coord.Comp(1))), b.FAbs(coord.Comp(2)))
	scale := b.FRcp(longest)
	return c.with(coord, func(i int, x ir.Src) ir.Src {
		if i == 3 {
			return x
		}
		return b.FMul(x, scale)
	})
}

// fetchOffset adds the offset of a fetch, if it has one, to its coordinates, and reports whether it did.
func (c context) fetchOffset(v ir.Value) bool {
	t := c.texOf(v)
	offset := t.get(kind.TexSrcOffset)
	if offset.Val == 0 {
		return false
	}
	t.set(kind.TexSrcCoord, c.with(t.get(kind.TexSrcCoord), func(i int, x ir.Src) ir.Src {
		if i >= int(offset.N) {
			return x
		}
		return c.B.IAdd(x, offset.Comp(i))
	}))
	t.remove(kind.TexSrcOffset)
	c.replace(v, t)
	return true
}

// sizeOf inserts a query of the size of level 0 of t's image, without layers.
func (c context) sizeOf(t *tex) ir.Src {
	q := &tex{op: kind.TexTxs, comps: uint8(ir.SizeComps(t.dim)), bits: 32, dim: t.dim,
		flags: t.flags & (kind.TexFlagArray | kind.TexFlagNonUniform), base: kind.BaseUint}
	if q.flags&kind.TexFlagArray != 0 {
		q.comps++
	}
	q.set(kind.TexSrcLOD, c.B.Imm(0))
	for _, k := range [...]kind.TexSrc{kind.TexSrcTextureDeref, kind.TexSrcTextureIndex, kind.TexSrcTextureHandle} {
		if x := t.get(k); x.Val != 0 {
			q.set(k, x)
		}
	}
	return c.insert(q).Take(ir.SizeComps(t.dim))
}

// explicitLOD replaces derivatives with the level of detail that follows from them (Vulkan specification, "Scale Factor
// Operation" and "Cube Map Derivative Transformation").
func (c context) explicitLOD(v ir.Value) {
	b := c.B
	t := c.texOf(v)
	coord, ddx, ddy := t.get(kind.TexSrcCoord), t.get(kind.TexSrcDdx), t.get(kind.TexSrcDdy)
	if t.dim == kind.DimCube {
		ddx, ddy = c.onFace(coord, ddx, ddy)
		t.set(kind.TexSrcCoord, c.onCube(coord))
	}
	size := c.sizeOf(t)
	square := func(d ir.Src) ir.Src {
		var sum ir.Src
		for i := range int(d.N) {
			x := b.FMul(d.Comp(i), b.U2F32(size.Comp(i)))
			if x = b.FMul(x, x); i > 0 {
				x = b.FAdd(sum, x)
			}
			sum = x
		}
		return sum
	}
	// The logarithm of a length is half the logarithm of its square.
	lod := b.FMul(b.FLog2(b.FMax(square(ddx), square(ddy))), pass.ImmF(b, 0.5))
	if least := t.get(kind.TexSrcMinLOD); least.Val != 0 {
		lod = b.FMax(lod, least)
	}
	t.op = kind.TexTxl
	t.remove(kind.TexSrcDdx, kind.TexSrcDdy, kind.TexSrcMinLOD)
	t.set(kind.TexSrcLOD, lod)
	c.replace(v, t)
}

// explicitDerivatives adds the derivatives of the coordinates to the sources of an operation. A bias becomes a factor
// of the derivatives, whose logarithm is the bias.
func (c context) explicitDerivatives(v ir.Value) bool {
	b := c.B
	t := c.texOf(v)
	at := t.get(kind.TexSrcCoord).Take(ir.CoordComps(t.dim))
	ddx, ddy := b.FDdx(at), b.FDdy(at)
	if bias := t.get(kind.TexSrcBias); bias.Val != 0 {
		scale := b.FExp2(bias)
		times := func(_ int, x ir.Src) ir.Src { return b.FMul(x, scale) }
		ddx, ddy = c.with(ddx, times), c.with(ddy, times)
		t.remove(kind.TexSrcBias)
	}
	t.op = kind.TexTxd
	t.set(kind.TexSrcDdx, ddx)
	t.set(kind.TexSrcDdy, ddy)
	x := c.insert(t)
	c.S.ReplaceUses(v, x)
	c.S.Remove(v)
	c.texture(x.Val)
	return true
}

// onFace returns the derivatives of the coordinates on the face of a cube that a direction hits. Neither their signs
// nor their order matters for the level of detail.
func (c context) onFace(coord, ddx, ddy ir.Src) (x, y ir.Src) {
	b := c.B
	abs := func(i int) ir.Src { return b.FAbs(coord.Comp(i)) }
	alongZ := b.IAnd(b.FGe(abs(2), abs(0)), b.FGe(abs(2), abs(1)))
	alongY := b.FGe(abs(1), abs(0))
	// turn returns the component of a direction or derivative along the longest axis, and the other two.
	turn := func(d ir.Src) (major, s, t ir.Src) {
		major = b.BCsel(alongZ, d.Comp(2), b.BCsel(alongY, d.Comp(1), d.Comp(0)))
		s = b.BCsel(alongZ, d.Comp(0), b.BCsel(alongY, d.Comp(0), d.Comp(1)))
		t = b.BCsel(alongZ, d.Comp(1), d.Comp(2))
		return major, s, t
	}
	r, s, t := turn(coord)
	scale := b.FRcp(b.FMul(b.FMul(r, r), pass.ImmF(b, 2)))
	derive := func(d ir.Src) ir.Src {
		dr, ds, dt := turn(d)
		u := b.FMul(b.FSub(b.FMul(r, ds), b.FMul(s, dr)), scale)
		w := b.FMul(b.FSub(b.FMul(r, dt), b.FMul(t, dr)), scale)
		return b.Vec2(u, w)
	}
	return derive(ddx), derive(ddy)
}

// levelSize computes the size of a level from the size of level 0, and reports whether that was necessary.
func (c context) levelSize(v ir.Value) bool {
	b := c.B
	t := c.texOf(v)
	lod := t.get(kind.TexSrcLOD)
	level, ok := c.S.ConstOf(lod)
	known := lod.Val == 0 || ok && level == 0
	layers := t.flags&kind.TexFlagArray != 0 && !c.Target().Can(target.SingleLayerArrays)
	if known && !layers {
		return false
	}
	t.set(kind.TexSrcLOD, b.Imm(0))
	size := c.insert(t)
	n := ir.SizeComps(t.dim)
	c.S.ReplaceUses(v, c.with(size, func(i int, x ir.Src) ir.Src {
		switch {
		case i == n:
			return c.layers(size, x)
		case known:
			return x
		}
		return b.UMin(b.UMax(b.UShr(x, lod), b.Imm(1)), x) // a size of 0 stays 0
	}))
	c.S.Remove(v)
	return true
}

// layers returns the number of layers of an image whose size and number of layers, n, the machine reports: some machines
// report a single layer as 0.
func (c context) layers(size, n ir.Src) ir.Src {
	b := c.B
	if c.Target().Can(target.SingleLayerArrays) {
		return n
	}
	return b.UMax(n, b.UMin(size.Comp(0), b.Imm(1)))
}

// imageSize lowers the query of the size of a storage image, and reports whether that was necessary.
func (c context) imageSize(v ir.Value) bool {
	s, b := c.S, c.B
	arrayed := s.Index(v, intrinsic.IxImageArray) != 0
	cube := kind.ImageDim(s.Index(v, intrinsic.IxImageDim)) == kind.DimCube
	in := s.At(v)
	if !arrayed || !cube && c.Target().Can(target.SingleLayerArrays) {
		return false
	}
	b.Before(v)
	n := int(in.Comps) - 1
	x := b.Intrinsic(intrinsic.ImageSize, in.Comps, in.Bits, s.Src(v, 0), s.Src(v, 1))
	copy(s.Words(x), s.Words(v))
	if cube {
		s.SetIndex(x, intrinsic.IxImageDim, uint32(kind.Dim2D))
	}
	size := s.All(x)
	s.ReplaceUses(v, c.with(size, func(i int, x ir.Src) ir.Src {
		if i != n {
			return x
		}
		if cube {
			return b.UDiv(x, b.Imm(6))
		}
		return c.layers(size, x)
	}))
	s.Remove(v)
	return true
}
