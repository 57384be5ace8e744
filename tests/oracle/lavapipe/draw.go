// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

package lavapipe

import (
	"unsafe"

	"jacquard.example/core/draw"
	"jacquard.example/generated/kind"
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
	for i := range r.draw.targets {
		t := &r.draw.targets[i]
		t.take(r.spans[t.span].mapped)
	}
	return nil
}

// A drawing holds the objects of a draw.
type drawing struct {
	*Draw
	targets  []target // attachments that exist and have one sample
	colors   []handle // views by location, or 0 if none
	resolves []handle // resolve target for each of colors
	depth    handle
	buffers  []handle // buffer for each attribute
	indices  handle
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

// topologies maps topologies to the values of VkPrimitiveTopology.
var topologies = map[draw.Topology]uint32{
	draw.PointList: 0, draw.LineList: 1, draw.LineStrip: 2, draw.TriangleList: 3, draw.TriangleStrip: 4, draw.TriangleFan: 5,
	draw.LineListWithAdjacency: 6, draw.LineStripWithAdjacency: 7, draw.TriangleListWithAdjacency: 8, draw.TriangleStripWithAdjacency: 9,
}

// logicOps maps logical operations to the values of VkLogicOp.
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
	depthFormat, stencilFormat := uint32(0), uint32(0)
	if f := st.Depth.Attachment.Format; f != nil {
		if f.Depth() {
			depthFormat = formats[f.Name]
		}
		if draw.HasStencil(f) {
			stencilFormat = formats[f.Name]
		}
	}
	width := st.LineWidth
	if width == 0 {
		width = 1
	}
	mask := ^st.NoSamples
	blends, colors := r.blends()
	v := st.Viewport
	err := check("vkCreateGraphicsPipelines", r.createGraphicsPipelines(r.handle, 0, 1, &graphicsPipelineCreateInfo{
		sType: typeGraphicsPipelineCreateInfo,
		pNext: ptr(&pipelineRendering{
			sType: typePipelineRenderingCreateInfo, colorCount: uint32(len(colors)), pColorFormats: unsafe.SliceData(colors),
			depthFormat:   depthFormat,
			stencilFormat: stencilFormat,
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
			sType: typeRasterizationState, depthClamp: number(st.DepthClamp), polygonMode: uint32(st.Polygons), cull: uint32(st.Cull),
			frontFace: number(st.Clockwise), depthBias: number(st.DepthBias.Enabled),
			bias: [3]float32{st.DepthBias.Constant, st.DepthBias.Clamp, st.DepthBias.Slope}, lineWidth: width,
		},
		pMultisample: &multisampleState{
			sType: typeMultisampleState, samples: uint32(max(st.Samples, 1)), pSampleMask: &mask,
		},
		pDepthStencil: &depthStencilState{
			sType: typeDepthStencilState, test: number(st.Depth.Test), write: number(st.Depth.Write), compare: uint32(st.Depth.Compare),
			bounds: number(st.Depth.Bounds), low: st.Depth.Low, high: st.Depth.High,
			stencil: number(st.Stencil.Test), front: stencilFace(&st.Stencil.Front), back: stencilFace(&st.Stencil.Back),
		},
		pColorBlend: &colorBlendState{sType: typeColorBlendState, attachmentCount: uint32(len(blends)),
			pAttachments:  unsafe.SliceData(blends),
			logicOpEnable: number(st.Logic.Enabled), logicOp: logicOps[st.Logic.Op], constants: st.BlendConstant},
		layout:            r.layout,
		basePipelineIndex: -1,
	}, nil, &r.pipeline))
	if err != nil {
		return err
	}
	r.later(r.destroyPipeline, r.pipeline)
	return nil
}

// vertexInput describes the attributes, each from its own buffer.
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

// Bits of VkResolveModeFlagBits, and the VkAttachmentLoadOp that clears.
const (
	resolveSampleZero = 1
	resolveAverage    = 2
	loadClear         = 1
)

// clear makes the load operation of a multisampled attachment, whose contents cannot be uploaded by a copy, fill it
// with its first texel. It does nothing for other attachments.
func (g *drawing) clear(a *draw.Attachment, to *renderingAttachment) {
	if a.Format == nil || a.Samples <= 1 {
		return
	}
	to.loadOp = loadClear
	t := a.Texel(0, 0)
	for c := range to.clear {
		to.clear[c] = uint32(t[c])
	}
	if draw.HasStencil(a.Format) {
		to.clear[1] = uint32(a.Data[a.Format.Bytes-1])
	}
}

// layers returns the number of layers of the color attachment with most layers, or 0.
func (g *drawing) layers() (n int) {
	for i := range g.State.Colors {
		n = max(n, g.State.Colors[i].Layers)
	}
	return n
}

// recordDraw records the draw.
func (r *run) recordDraw(cmd handle) {
	g := r.draw
	info := &renderingInfo{sType: typeRenderingInfo, area: rect2D{width: uint32(g.State.Width), height: uint32(g.State.Height)},
		layers: uint32(max(g.State.Depth.Attachment.Layers, g.layers(), 1))}
	var colors []renderingAttachment
	for i, v := range g.colors {
		a := renderingAttachment{sType: typeRenderingAttachmentInfo, imageView: v, imageLayout: layoutGeneral}
		g.clear(&g.State.Colors[i].Attachment, &a)
		if to := g.resolves[i]; to != 0 {
			a.resolveMode, a.resolveView, a.resolveLayout = resolveAverage, to, layoutGeneral
			if g.State.Colors[i].Format.Base != kind.BaseFloat {
				a.resolveMode = resolveSampleZero
			}
		}
		colors = append(colors, a)
	}
	info.colorCount, info.pColors = uint32(len(colors)), unsafe.SliceData(colors)
	if g.depth != 0 {
		a := &renderingAttachment{sType: typeRenderingAttachmentInfo, imageView: g.depth, imageLayout: layoutGeneral}
		d := &g.State.Depth.Attachment
		g.clear(d, a)
		if d.Format.Depth() {
			info.pDepth = a
		}
		if draw.HasStencil(d.Format) {
			info.pStencil = a
		}
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
		r.cmdDrawIndexed(cmd, c.Count, c.Instances, c.First, int32(c.VertexOffset), c.FirstInstance)
	}
	r.cmdEndRendering(cmd)
}
