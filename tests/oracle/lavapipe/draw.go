//go:build linux && (amd64 || arm64)

package lavapipe

import (
	"fmt"
	"unsafe"

	"jacquard.example/core/draw"
)

// Draw executes a draw and waits for it.
func (d *Device) Draw(w *Draw) error {
	for _, s := range []*Shader{&w.Vertex, &w.Fragment} {
		if err := checkModule(s.Words, s.Entry, s.Specs); err != nil {
			return err
		}
	}
	c := &Dispatch{Push: w.Push, Bindings: w.Bindings}
	if err := c.checkBindings(w.Vertex.Words, w.Fragment.Words); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r := run{Device: d, c: c, stages: stageVertexBit | stageFragmentBit, draw: &drawing{Draw: w}}
	defer r.release()
	for _, step := range []func() error{r.buffers, r.images, r.attachments, r.vertexBuffers, r.layouts, r.graphicsPipeline, r.descriptors, r.submit} {
		if err := step(); err != nil {
			return err
		}
	}
	r.takeBindings()
	for i, a := range r.draw.targets {
		copy(a.Data, r.spans[r.draw.spans[i]].mapped)
	}
	return nil
}

// A drawing holds the objects of a draw.
type drawing struct {
	*Draw
	targets []*draw.Attachment // that exist
	spans   []int              // of each of targets
	colors  []handle           // views by location, 0: none
	depth   handle
	buffers []handle // of each attribute
	indices handle
}

// attachments creates the images that are drawn to.
func (r *run) attachments() error {
	g := r.draw
	for i := range g.State.Colors {
		v, err := r.attachment(&g.State.Colors[i].Attachment, usageColorTarget, aspectColor)
		if err != nil {
			return err
		}
		g.colors = append(g.colors, v)
	}
	var err error
	g.depth, err = r.attachment(&g.State.Depth.Attachment, usageDepthTarget, aspectDepth)
	return err
}

// attachment creates one image and its view.
func (r *run) attachment(a *draw.Attachment, usage, aspect uint32) (view handle, err error) {
	if a.Format == nil {
		return 0, nil
	}
	if formats[a.Format.Name] == 0 {
		return 0, fmt.Errorf("an attachment of format %s", a.Format.Name)
	}
	s, err := r.newSpan(a.Data, false)
	if err != nil {
		return 0, err
	}
	r.draw.targets, r.draw.spans = append(r.draw.targets, a), append(r.draw.spans, len(r.spans))
	size := extent3D{uint32(a.Width), uint32(a.Height), 1}
	p := picture{span: len(r.spans), aspect: aspect, copies: []bufferImageCopy{{aspect: aspect, layers: 1, extent: size}}}
	r.spans = append(r.spans, s)
	p.handle, err = r.newImage(&imageCreateInfo{
		sType: typeImageCreateInfo, imageType: 1, format: formats[a.Format.Name], extent: size, mipLevels: 1, arrayLayers: 1, samples: 1,
		usage: usageTransferSrc | usageTransferDst | usage,
	})
	if err != nil {
		return 0, err
	}
	r.pictures = append(r.pictures, p)
	err = check("vkCreateImageView", r.createImageView(r.handle, &imageViewCreateInfo{
		sType: typeImageViewCreateInfo, image: p.handle, viewType: 1, format: formats[a.Format.Name],
		resources: subresourceRange{aspect, 0, 1, 0, 1},
	}, nil, &view))
	if err == nil {
		r.later(r.destroyImageView, view)
	}
	return view, err
}

// vertexBuffers creates the buffers of attributes and indices.
func (r *run) vertexBuffers() error {
	for _, a := range r.draw.State.Attributes {
		s, err := r.newSpan(a.Data, false)
		if err != nil {
			return err
		}
		r.draw.buffers = append(r.draw.buffers, s.buffer)
	}
	if r.draw.Call.IndexBytes != 0 {
		s, err := r.newSpan(r.draw.Call.Indices, false)
		if err != nil {
			return err
		}
		r.draw.indices = s.buffer
	}
	return nil
}

func number(c bool) uint32 {
	if c {
		return 1
	}
	return 0
}

// topologies are the numbers that Vulkan has for topologies and polygon modes.
var topologies = map[draw.Topology]uint32{
	draw.PointList: 0, draw.LineList: 1, draw.LineStrip: 2, draw.TriangleList: 3, draw.TriangleStrip: 4, draw.TriangleFan: 5,
	draw.LineListWithAdjacency: 6, draw.LineStripWithAdjacency: 7, draw.TriangleListWithAdjacency: 8, draw.TriangleStripWithAdjacency: 9,
}

// logicOps are the numbers that Vulkan has for logical operations.
var logicOps = map[draw.LogicOp]uint32{
	draw.LogicClear: 0, draw.LogicAnd: 1, draw.LogicAndReverse: 2, draw.LogicCopy: 3, draw.LogicAndInverted: 4, draw.LogicNoOp: 5,
	draw.LogicXor: 6, draw.LogicOr: 7, draw.LogicNor: 8, draw.LogicEquivalent: 9, draw.LogicInvert: 10, draw.LogicOrReverse: 11,
	draw.LogicCopyInverted: 12, draw.LogicOrInverted: 13, draw.LogicNand: 14, draw.LogicSet: 15,
}

// stencilFace describes the stencil test of a side: its operations have Vulkan's numbers.
func stencilFace(f *draw.StencilFace) [7]uint32 {
	return [7]uint32{
		uint32(f.Fail), uint32(f.Pass), uint32(f.DepthFail), uint32(f.Compare), uint32(f.CompareMask), uint32(f.WriteMask), uint32(f.Reference),
	}
}

// graphicsPipeline creates the pipeline.
func (r *run) graphicsPipeline() error {
	g := r.draw
	var stages []pipelineShaderStage
	for _, s := range []struct {
		bit uint32
		*Shader
	}{{stageVertexBit, &g.Vertex}, {stageFragmentBit, &g.Fragment}} {
		stage, err := r.stage(s.bit, s.Words, s.Entry, s.Specs)
		if err != nil {
			return err
		}
		stages = append(stages, stage)
	}
	st := &g.State
	depthFormat := uint32(0)
	if f := st.Depth.Attachment.Format; f != nil {
		depthFormat = formats[f.Name]
	}
	blends, colors := r.blends()
	v := st.Viewport
	err := check("vkCreateGraphicsPipelines", r.createGraphicsPipelines(r.handle, 0, 1, &graphicsPipelineCreateInfo{
		sType: typeGraphicsPipelineCreateInfo,
		pNext: ptr(&pipelineRendering{
			sType: typePipelineRenderingCreateInfo, colorCount: uint32(len(colors)), pColorFormats: unsafe.SliceData(colors), depthFormat: depthFormat,
		}),
		stageCount: 2, pStages: &stages[0],
		pVertexInput: r.vertexInput(),
		pInputAssembly: &inputAssemblyState{
			sType: typeInputAssemblyState, topology: topologies[st.Topology], primitiveRestart: number(st.Restart),
		},
		pViewport: &viewportState{
			sType: typeViewportState, viewportCount: 1, pViewports: &viewport{v.X, v.Y, v.Width, v.Height, v.MinDepth, v.MaxDepth},
			scissorCount: 1, pScissors: &rect2D{width: uint32(st.Width), height: uint32(st.Height)},
		},
		pRasterization: &rasterizationState{
			sType: typeRasterizationState, depthClamp: number(st.DepthClamp), cull: uint32(st.Cull), frontFace: number(st.Clockwise), lineWidth: 1,
		},
		pMultisample: &multisampleState{sType: typeMultisampleState, samples: 1},
		pDepthStencil: &depthStencilState{
			sType: typeDepthStencilState, test: number(st.Depth.Test), write: number(st.Depth.Write), compare: uint32(st.Depth.Compare), high: 1,
		},
		pColorBlend:       &colorBlendState{sType: typeColorBlendState, attachmentCount: uint32(len(blends)), pAttachments: unsafe.SliceData(blends)},
		layout:            r.layout,
		basePipelineIndex: -1,
	}, nil, &r.pipeline))
	if err != nil {
		return err
	}
	r.later(r.destroyPipeline, r.pipeline)
	return nil
}

// vertexInput describes the attributes, each from a buffer of its own.
func (r *run) vertexInput() *vertexInputState {
	var bindings []vertexBinding
	var attributes []vertexAttribute
	for i, a := range r.draw.State.Attributes {
		bindings = append(bindings, vertexBinding{uint32(i), uint32(a.Stride), number(a.Instance)})
		attributes = append(attributes, vertexAttribute{a.Location, uint32(i), formats[a.Format.Name], uint32(a.Offset)})
	}
	return &vertexInputState{
		sType: typeVertexInputState, bindingCount: uint32(len(bindings)), pBindings: unsafe.SliceData(bindings),
		attributeCount: uint32(len(attributes)), pAttributes: unsafe.SliceData(attributes),
	}
}

// blends returns the blending of the color attachments, and their formats.
func (r *run) blends() (out []blendAttachment, colors []uint32) {
	factor := func(f draw.Factor) uint32 { return uint32(f) } // they have Vulkan's numbers
	for i := range r.draw.State.Colors {
		c := &r.draw.State.Colors[i]
		f := uint32(0)
		if c.Format != nil {
			f = formats[c.Format.Name]
		}
		colors = append(colors, f)
		b := &c.Blend
		out = append(out, blendAttachment{
			number(b.Enabled), factor(b.Color.Src), factor(b.Color.Dst), uint32(b.Color.Op),
			factor(b.Alpha.Src), factor(b.Alpha.Dst), uint32(b.Alpha.Op), uint32(^b.Keep & 0xf),
		})
	}
	return out, colors
}

// recordDraw records the draw.
func (r *run) recordDraw(cmd handle) {
	g := r.draw
	info := &renderingInfo{sType: typeRenderingInfo, area: rect2D{width: uint32(g.State.Width), height: uint32(g.State.Height)}, layers: 1}
	var colors []renderingAttachment
	for _, v := range g.colors {
		colors = append(colors, renderingAttachment{sType: typeRenderingAttachmentInfo, imageView: v, imageLayout: layoutGeneral})
	}
	info.colorCount, info.pColors = uint32(len(colors)), unsafe.SliceData(colors)
	if g.depth != 0 {
		info.pDepth = &renderingAttachment{sType: typeRenderingAttachmentInfo, imageView: g.depth, imageLayout: layoutGeneral}
	}
	r.cmdBeginRendering(cmd, info)
	if n := len(g.buffers); n > 0 {
		r.cmdBindVertexBuffers(cmd, 0, uint32(n), &g.buffers[0], &make([]uint64, n)[0])
	}
	c := &g.Call
	switch c.IndexBytes {
	case 0:
		r.cmdDraw(cmd, c.Count, c.Instances, c.First, c.FirstInstance)
	default:
		r.cmdBindIndexBuffer(cmd, g.indices, 0, map[int]uint32{1: 1000265000, 2: 0, 4: 1}[c.IndexBytes])
		r.cmdDrawIndexed(cmd, c.Count, c.Instances, c.First, 0, c.FirstInstance)
	}
	r.cmdEndRendering(cmd)
}
