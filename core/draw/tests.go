// SPDX-License-Identifier: MIT

package draw

import "jacquard.example/core/texture"

// tested performs the depth bounds, stencil and depth tests of a sample, and writes the new depth and stencil values
// (Vulkan specification, "Depth Bounds Test", "Stencil Test", "Depth Test").
func (r *run) tested(q *Quad, k, sample int) bool {
	d := &r.s.Depth
	if d.Attachment.Format == nil {
		return true
	}
	texel := d.Attachment.at(r.place(q, k, sample))
	if d.Attachment.Format.Depth() && d.Bounds {
		t := d.Attachment.Format.Decode(texel)
		if z := t.Float(0); !(z >= d.Low && z <= d.High) {
			return false
		}
	}
	value := d.Attachment.stencil(texel)
	if !r.s.Stencil.Test {
		value = nil
	}
	face, reference, stored := r.s.Stencil.face(q.Primitive.Front), uint8(0), uint8(0)
	if value != nil {
		stored, reference = *value, face.Reference
		if px := &q.Pixels[k]; px.HasStencil && !r.s.EarlyTests {
			reference = px.Stencil
		}
		if !face.passes(reference, stored) {
			*value = face.apply(face.Fail, reference, stored)
			return false
		}
	}
	passed := r.depthTested(q, k, sample, texel)
	if value != nil {
		op := face.Pass
		if !passed {
			op = face.DepthFail
		}
		*value = face.apply(op, reference, stored)
	}
	return passed
}

// depthTested performs the depth test of a sample and, if it passes, writes the depth.
func (r *run) depthTested(q *Quad, k, sample int, texel []byte) bool {
	d := &r.s.Depth
	f := d.Attachment.Format
	if !f.Depth() || !d.Test {
		return true
	}
	t := texture.Texel{}
	t.SetFloat(0, r.depth(q, k, sample))
	var stored [8]byte // the depth as the attachment stores it
	f.Encode(stored[:len(texel)], &t)
	t = f.Decode(stored[:len(texel)])
	old := f.Decode(texel)
	z, was := t.Float(0), old.Float(0)
	if !passes(d.Compare, z < was, z == was, z > was) {
		return false
	}
	if d.Write {
		d.Attachment.encode(texel, &t)
	}
	return true
}

// depth returns the depth of a sample for the depth test: the shader's, if it has written one and tests are not early,
// otherwise the primitive's. It is clamped (Vulkan specification, "Depth Clamping and Range Adjustment").
func (r *run) depth(q *Quad, k, sample int) float32 {
	z := float32(0)
	if px := &q.Pixels[k]; px.HasDepth && !r.s.EarlyTests {
		z = px.Depth
	} else {
		z = q.Primitive.Depth(q.Sample(k, sample))
	}
	if r.s.DepthClamp {
		v := q.Primitive.viewport
		z = min(max(z, min(v.MinDepth, v.MaxDepth)), max(v.MinDepth, v.MaxDepth))
	}
	if f := r.s.Depth.Attachment.Format; !r.s.DepthUnrestricted || f.Component(0).Numeric != texture.SFloat {
		z = min(max(z, 0), 1)
	}
	return z
}
