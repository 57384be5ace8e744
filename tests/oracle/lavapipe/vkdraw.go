// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

//lint:file-ignore U1000 the driver reads fields that Go code never does

package lavapipe

// The part of Vulkan that a draw needs in addition; see vk.go.

type vertexBinding struct{ binding, stride, rate uint32 }

type vertexAttribute struct{ location, binding, format, offset uint32 }

type vertexInputState struct {
	sType          uint32
	pNext          ptr
	flags          uint32
	bindingCount   uint32
	pBindings      *vertexBinding
	attributeCount uint32
	pAttributes    *vertexAttribute
}

type inputAssemblyState struct {
	sType            uint32
	pNext            ptr
	flags            uint32
	topology         uint32
	primitiveRestart uint32
}

type viewport struct{ x, y, width, height, minDepth, maxDepth float32 }

type rect2D struct {
	x, y          int32
	width, height uint32
}

type viewportState struct {
	sType         uint32
	pNext         ptr
	flags         uint32
	viewportCount uint32
	pViewports    *viewport
	scissorCount  uint32
	pScissors     *rect2D
}

type rasterizationState struct {
	sType                        uint32
	pNext                        ptr
	flags                        uint32
	depthClamp, discard          uint32
	polygonMode, cull, frontFace uint32
	depthBias                    uint32
	bias                         [3]float32
	lineWidth                    float32
}

type multisampleState struct {
	sType         uint32
	pNext         ptr
	flags         uint32
	samples       uint32
	sampleShading uint32
	minShading    float32
	pSampleMask   *uint32
	alphaCoverage uint32
	alphaOne      uint32
}

type depthStencilState struct {
	sType                uint32
	pNext                ptr
	flags                uint32
	test, write, compare uint32
	bounds, stencil      uint32
	front, back          [7]uint32
	low, high            float32
}

type blendAttachment struct {
	enable                      uint32
	srcColor, dstColor, colorOp uint32
	srcAlpha, dstAlpha, alphaOp uint32
	colorWriteMask              uint32
}

type colorBlendState struct {
	sType           uint32
	pNext           ptr
	flags           uint32
	logicOpEnable   uint32
	logicOp         uint32
	attachmentCount uint32
	pAttachments    *blendAttachment
	constants       [4]float32
}

type pipelineRendering struct {
	sType         uint32
	pNext         ptr
	viewMask      uint32
	colorCount    uint32
	pColorFormats *uint32
	depthFormat   uint32
	stencilFormat uint32
}

type graphicsPipelineCreateInfo struct {
	sType              uint32
	pNext              ptr
	flags              uint32
	stageCount         uint32
	pStages            *pipelineShaderStage
	pVertexInput       *vertexInputState
	pInputAssembly     *inputAssemblyState
	pTessellation      ptr
	pViewport          *viewportState
	pRasterization     *rasterizationState
	pMultisample       *multisampleState
	pDepthStencil      *depthStencilState
	pColorBlend        *colorBlendState
	pDynamic           ptr
	layout, renderPass handle
	subpass            uint32
	basePipelineHandle handle
	basePipelineIndex  int32
}

type renderingAttachment struct {
	sType           uint32
	pNext           ptr
	imageView       handle
	imageLayout     uint32
	resolveMode     uint32
	resolveView     handle
	resolveLayout   uint32
	loadOp, storeOp uint32
	clear           [4]uint32
}

type renderingInfo struct {
	sType      uint32
	pNext      ptr
	flags      uint32
	area       rect2D
	layers     uint32
	viewMask   uint32
	colorCount uint32
	pColors    *renderingAttachment
	pDepth     *renderingAttachment
	pStencil   *renderingAttachment
}
