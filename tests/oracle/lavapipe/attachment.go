// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

package lavapipe

import (
	"fmt"

	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
)

// attachments creates the images that are drawn to.
func (r *run) attachments() error {
	g := r.draw
	for i := range g.State.Colors {
		c := &g.State.Colors[i]
		v, err := r.attachment(&c.Attachment, usageColorTarget, aspectColor)
		if err != nil {
			return err
		}
		to := handle(0)
		if c.Resolve != nil {
			if to, err = r.attachment(c.Resolve, usageColorTarget, aspectColor); err != nil {
				return err
			}
		}
		g.colors, g.resolves = append(g.colors, v), append(g.resolves, to)
	}
	a := &g.State.Depth.Attachment
	var err error
	if a.Format != nil {
		g.depth, err = r.attachment(a, usageDepthTarget, depthAspects(a.Format))
	}
	return err
}

// depthAspects returns the aspects of a format of depths and stencil values.
func depthAspects(f *texture.Format) (aspects uint32) {
	if f.Depth() {
		aspects |= aspectDepth
	}
	if draw.HasStencil(f) {
		aspects |= aspectStencil
	}
	return aspects
}

// A target is an attachment, with the index of the span of its texels. The span of a depth-stencil attachment has
// first all depths, then all stencil values, as copies of images do.
type target struct {
	*draw.Attachment
	span, split int // the bytes of a depth in the span; 0 if it is not split
}

// planes returns the texels as copies of images take them.
func (t *target) planes() []byte {
	if t.split == 0 {
		return t.Data
	}
	n, size := len(t.Data)/t.Format.Bytes, t.Format.Bytes
	out := make([]byte, n*(t.split+1))
	for i := range n {
		copy(out[i*t.split:][:t.split], t.Data[i*size:][:size-1])
		out[n*t.split+i] = t.Data[i*size+size-1]
	}
	return out
}

// take replaces the texels with the contents of planes.
func (t *target) take(planes []byte) {
	if t.split == 0 {
		copy(t.Data, planes)
		return
	}
	n, size := len(t.Data)/t.Format.Bytes, t.Format.Bytes
	for i := range n {
		copy(t.Data[i*size:][:size-1], planes[i*t.split:])
		t.Data[i*size+size-1] = planes[n*t.split+i]
	}
}

// attachment creates one image and its view.
func (r *run) attachment(a *draw.Attachment, usage, aspects uint32) (view handle, err error) {
	if a.Format == nil {
		return 0, nil
	}
	if formats[a.Format.Name] == 0 {
		return 0, fmt.Errorf("the format %s of an attachment is unknown", a.Format.Name)
	}
	t := target{Attachment: a, span: len(r.spans)}
	size := extent3D{uint32(a.Width), uint32(a.Height), 1}
	layers := uint32(max(a.Layers, 1))
	p := picture{span: t.span, aspect: aspects, levels: 1, multi: a.Samples > 1,
		copies: []bufferImageCopy{{aspect: aspects, layers: layers, extent: size}}}
	if aspects == aspectDepth|aspectStencil {
		t.split = map[string]int{"D24_UNORM_S8_UINT": 4, "D32_SFLOAT_S8_UINT": 4}[a.Format.Name]
		p.copies[0].aspect = aspectDepth
		p.copies = append(p.copies, bufferImageCopy{bufferOffset: uint64(a.Width * a.Height * t.split), aspect: aspectStencil,
			layers: layers, extent: size})
	}
	s, err := r.newSpan(t.planes(), false)
	if err != nil {
		return 0, err
	}
	r.spans = append(r.spans, s)
	if !p.multi {
		r.draw.targets = append(r.draw.targets, t)
	}
	p.handle, err = r.newImage(&imageCreateInfo{
		sType: typeImageCreateInfo, imageType: 1, format: formats[a.Format.Name], extent: size, mipLevels: 1, arrayLayers: layers,
		samples: uint32(max(a.Samples, 1)), usage: usageTransferSrc | usageTransferDst | usage,
	})
	if err != nil {
		return 0, err
	}
	r.pictures = append(r.pictures, p)
	viewType := uint32(1)
	if layers > 1 {
		viewType = 5
	}
	err = check("vkCreateImageView", r.createImageView(r.handle, &imageViewCreateInfo{
		sType: typeImageViewCreateInfo, image: p.handle, viewType: viewType, format: formats[a.Format.Name],
		resources: subresourceRange{aspects, 0, 1, 0, layers},
	}, nil, &view))
	if err == nil {
		r.later(r.destroyImageView, view)
	}
	return view, err
}
