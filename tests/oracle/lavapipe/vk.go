// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

//lint:file-ignore U1000 the driver reads fields that Go code never does

package lavapipe

import "unsafe"

// The part of Vulkan that a compute dispatch needs, laid out like the C header of the Vulkan
// specification for 64-bit targets: Go aligns fields as C does there, handles are 64 bits
// wide, and enums and flags are 32 bits. Structures keep the names and the order of their
// fields in the specification. Fields that are always zero here are kept for their space.

type (
	handle = uint64         // dispatchable and non-dispatchable handles alike
	ptr    = unsafe.Pointer // a pointer that C follows; the collector sees it
	result = int32          // VkResult; 0 is success
)

// Values of VkStructureType.
const (
	typeApplicationInfo             = 0
	typeInstanceCreateInfo          = 1
	typeDeviceQueueCreateInfo       = 2
	typeDeviceCreateInfo            = 3
	typeSubmitInfo                  = 4
	typeMemoryAllocateInfo          = 5
	typeBufferCreateInfo            = 12
	typeBufferViewCreateInfo        = 13
	typeImageCreateInfo             = 14
	typeImageViewCreateInfo         = 15
	typeShaderModuleCreateInfo      = 16
	typePipelineShaderStage         = 18
	typeVertexInputState            = 19
	typeInputAssemblyState          = 20
	typeViewportState               = 22
	typeRasterizationState          = 23
	typeMultisampleState            = 24
	typeDepthStencilState           = 25
	typeColorBlendState             = 26
	typeGraphicsPipelineCreateInfo  = 28
	typeComputePipelineCreateInfo   = 29
	typePipelineLayoutCreateInfo    = 30
	typeSamplerCreateInfo           = 31
	typeDescriptorSetLayoutCreate   = 32
	typeDescriptorPoolCreateInfo    = 33
	typeDescriptorSetAllocateInfo   = 34
	typeWriteDescriptorSet          = 35
	typeCommandPoolCreateInfo       = 39
	typeCommandBufferAllocateInfo   = 40
	typeCommandBufferBeginInfo      = 42
	typeImageMemoryBarrier          = 45
	typeMemoryBarrier               = 46
	typeVulkan11Features            = 49
	typeVulkan11Properties          = 50
	typeVulkan12Features            = 51
	typeVulkan13Features            = 53
	typeRenderingInfo               = 1000044000
	typeRenderingAttachmentInfo     = 1000044001
	typePipelineRenderingCreateInfo = 1000044002
	typePhysicalDeviceFeatures2     = 1000059000
	typePhysicalDeviceProperties2   = 1000059001
	typeMemoryAllocateFlagsInfo     = 1000060000
	typeBufferDeviceAddressInfo     = 1000244001
	typeShaderAtomicFloatFeatureEXT = 1000260000
	typeShaderAtomicFloat2Feature   = 1000273000
)

// Flags and enumerants.
const (
	apiVersion13 = 1<<22 | 3<<12

	queueComputeBit      = 2
	stageComputeBit      = 0x20 // VkShaderStageFlagBits
	stageVertexBit       = 1
	stageFragmentBit     = 0x10
	bindPointGraphics    = 0
	bindPointCompute     = 1
	usageTransferSrc     = 1 // usage flag of buffers and images
	usageTransferDst     = 2
	usageUniformTexel    = 4
	usageStorageTexel    = 8
	usageUniformBuffer   = 0x10
	usageStorageBuffer   = 0x20
	usageIndexBuffer     = 0x40
	usageVertexBuffer    = 0x80
	usageDeviceAddress   = 0x20000
	usageColorTarget     = 0x10 // usage flag of images
	usageDepthTarget     = 0x20
	usageInputAttachment = 0x80
	usageSampledImage    = 4
	usageStorageImage    = 8
	imageCubeCompatible  = 0x10
	layoutUndefined      = 0
	layoutGeneral        = 1
	aspectColor          = 1
	aspectDepth          = 2
	aspectStencil        = 4
	stageAllCommands     = 0x10000
	accessAll            = 0x8000 | 0x10000 // VK_ACCESS_MEMORY_READ_BIT, _WRITE_BIT
	memoryHostVisible    = 2
	memoryHostCoherent   = 4
	memoryDeviceAddress  = 2 // VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT
	descUniformBuffer    = 6
	descStorageBuffer    = 7
	resetCommandBuffers  = 2 // VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT
	wholeSize            = ^uint64(0)
)

type applicationInfo struct {
	sType              uint32
	pNext              ptr
	pApplicationName   ptr
	applicationVersion uint32
	pEngineName        ptr
	engineVersion      uint32
	apiVersion         uint32
}

type instanceCreateInfo struct {
	sType             uint32
	pNext             ptr
	flags             uint32
	pApplicationInfo  *applicationInfo
	layerCount        uint32
	ppLayerNames      ptr
	extensionCount    uint32
	ppExtensionsNames ptr
}

type deviceQueueCreateInfo struct {
	sType            uint32
	pNext            ptr
	flags            uint32
	queueFamilyIndex uint32
	queueCount       uint32
	pQueuePriorities *float32
}

type deviceCreateInfo struct {
	sType             uint32
	pNext             ptr
	flags             uint32
	queueInfoCount    uint32
	pQueueCreateInfos *deviceQueueCreateInfo
	layerCount        uint32
	ppLayerNames      ptr
	extensionCount    uint32
	ppExtensionNames  **byte
	pEnabledFeatures  ptr
}

// A feature structure is a type, a link and a run of 32-bit booleans. The device's features are queried and passed back
// to enable them; only the number of booleans matters, and the indices of the booleans that callers query.

type features2 struct { // VkPhysicalDeviceFeatures2
	sType uint32
	pNext ptr
	b     [55]uint32
}

type features11 struct { // VkPhysicalDeviceVulkan11Features
	sType uint32
	pNext ptr
	b     [12]uint32
}

type features12 struct { // VkPhysicalDeviceVulkan12Features
	sType uint32
	pNext ptr
	b     [47]uint32
}

type features13 struct { // VkPhysicalDeviceVulkan13Features
	sType uint32
	pNext ptr
	b     [15]uint32
}

type featuresAtomicFloat struct { // VkPhysicalDeviceShaderAtomicFloatFeaturesEXT
	sType uint32
	pNext ptr
	b     [12]uint32
}

type featuresAtomicFloat2 struct { // VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT
	sType uint32
	pNext ptr
	b     [12]uint32
}

type queueFamilyProperties struct {
	queueFlags         uint32
	queueCount         uint32
	timestampValidBits uint32
	granularity        [3]uint32
}

type memoryProperties struct { // VkPhysicalDeviceMemoryProperties
	typeCount uint32
	types     [32]struct{ propertyFlags, heapIndex uint32 }
	heapCount uint32
	heaps     [16]struct {
		size  uint64
		flags uint32
	}
}

// deviceProperties is VkPhysicalDeviceProperties with its limits left opaque.
type deviceProperties struct {
	apiVersion, driverVersion, vendorID, deviceID, deviceType uint32

	deviceName [256]byte
	cacheUUID  [16]byte
	limits     [63]uint64 // VkPhysicalDeviceLimits: 504 bytes, aligned to 8
	sparse     [5]uint32
}

type properties2 struct { // VkPhysicalDeviceProperties2
	sType uint32
	pNext ptr
	b     deviceProperties
}

type properties11 struct { // VkPhysicalDeviceVulkan11Properties
	sType                                         uint32
	pNext                                         ptr
	deviceUUID, driverUUID                        [16]byte
	deviceLUID                                    [8]byte
	nodeMask, luidValid                           uint32
	subgroupSize, subgroupStages                  uint32
	subgroupOperations, subgroupQuads             uint32
	pointClipping, multiviews, multiviewInstances uint32
	protectedNoFault, maxPerSet                   uint32
	maxAllocation                                 uint64
}

type extensionProperties struct {
	name        [256]byte
	specVersion uint32
}

type bufferCreateInfo struct {
	sType                 uint32
	pNext                 ptr
	flags                 uint32
	size                  uint64
	usage                 uint32
	sharingMode           uint32
	queueFamilyIndexCount uint32
	pQueueFamilyIndices   ptr
}

type memoryRequirements struct {
	size, alignment uint64
	memoryTypeBits  uint32
}

type memoryAllocateInfo struct {
	sType           uint32
	pNext           ptr
	allocationSize  uint64
	memoryTypeIndex uint32
}

type memoryAllocateFlagsInfo struct {
	sType      uint32
	pNext      ptr
	flags      uint32
	deviceMask uint32
}

type bufferDeviceAddressInfo struct {
	sType  uint32
	pNext  ptr
	buffer handle
}

type shaderModuleCreateInfo struct {
	sType    uint32
	pNext    ptr
	flags    uint32
	codeSize uintptr // bytes
	pCode    *uint32
}

type descriptorSetLayoutBinding struct {
	binding            uint32
	descriptorType     uint32
	descriptorCount    uint32
	stageFlags         uint32
	pImmutableSamplers ptr
}

type descriptorSetLayoutCreateInfo struct {
	sType        uint32
	pNext        ptr
	flags        uint32
	bindingCount uint32
	pBindings    *descriptorSetLayoutBinding
}

type pushConstantRange struct{ stageFlags, offset, size uint32 }

type pipelineLayoutCreateInfo struct {
	sType         uint32
	pNext         ptr
	flags         uint32
	setCount      uint32
	pSetLayouts   *handle
	pushCount     uint32
	pPushConstant *pushConstantRange
}

type specializationMapEntry struct {
	constantID, offset uint32
	size               uintptr
}

type specializationInfo struct {
	mapEntryCount uint32
	pMapEntries   *specializationMapEntry
	dataSize      uintptr
	pData         *byte
}

type pipelineShaderStage struct {
	sType               uint32
	pNext               ptr
	flags               uint32
	stage               uint32
	module              handle
	pName               *byte
	pSpecializationInfo *specializationInfo
}

type computePipelineCreateInfo struct {
	sType              uint32
	pNext              ptr
	flags              uint32
	stage              pipelineShaderStage
	layout             handle
	basePipelineHandle handle
	basePipelineIndex  int32
}

type descriptorPoolSize struct{ kind, count uint32 }

type descriptorPoolCreateInfo struct {
	sType         uint32
	pNext         ptr
	flags         uint32
	maxSets       uint32
	poolSizeCount uint32
	pPoolSizes    *descriptorPoolSize
}

type descriptorSetAllocateInfo struct {
	sType          uint32
	pNext          ptr
	descriptorPool handle
	setCount       uint32
	pSetLayouts    *handle
}

type descriptorBufferInfo struct {
	buffer        handle
	offset, size_ uint64
}

type writeDescriptorSet struct {
	sType            uint32
	pNext            ptr
	dstSet           handle
	dstBinding       uint32
	dstArrayElement  uint32
	descriptorCount  uint32
	descriptorType   uint32
	pImageInfo       *descriptorImageInfo
	pBufferInfo      *descriptorBufferInfo
	pTexelBufferView *handle
}

type descriptorImageInfo struct {
	sampler, imageView handle
	imageLayout        uint32
}

type extent3D struct{ width, height, depth uint32 }

type imageCreateInfo struct {
	sType                 uint32
	pNext                 ptr
	flags                 uint32
	imageType             uint32
	format                uint32
	extent                extent3D
	mipLevels             uint32
	arrayLayers           uint32
	samples               uint32
	tiling                uint32
	usage                 uint32
	sharingMode           uint32
	queueFamilyIndexCount uint32
	pQueueFamilyIndices   ptr
	initialLayout         uint32
}

type subresourceRange struct{ aspect, baseLevel, levels, baseLayer, layers uint32 }

type imageViewCreateInfo struct {
	sType      uint32
	pNext      ptr
	flags      uint32
	image      handle
	viewType   uint32
	format     uint32
	components [4]uint32
	resources  subresourceRange
}

type samplerCreateInfo struct {
	sType                   uint32
	pNext                   ptr
	flags                   uint32
	magFilter, minFilter    uint32
	mipmapMode              uint32
	address                 [3]uint32
	mipLodBias              float32
	anisotropyEnable        uint32
	maxAnisotropy           float32
	compareEnable           uint32
	compareOp               uint32
	minLod, maxLod          float32
	borderColor             uint32
	unnormalizedCoordinates uint32
}

type bufferViewCreateInfo struct {
	sType          uint32
	pNext          ptr
	flags          uint32
	buffer         handle
	format         uint32
	offset, range_ uint64
}

type memoryBarrier struct {
	sType                uint32
	pNext                ptr
	srcAccess, dstAccess uint32
}

type imageMemoryBarrier struct {
	sType                uint32
	pNext                ptr
	srcAccess, dstAccess uint32
	oldLayout, newLayout uint32
	srcFamily, dstFamily uint32
	image                handle
	resources            subresourceRange
}

type bufferImageCopy struct {
	bufferOffset                 uint64
	rowLength, imageHeight       uint32
	aspect, level, layer, layers uint32
	offset                       [3]int32
	extent                       extent3D
}

type commandPoolCreateInfo struct {
	sType            uint32
	pNext            ptr
	flags            uint32
	queueFamilyIndex uint32
}

type commandBufferAllocateInfo struct {
	sType       uint32
	pNext       ptr
	commandPool handle
	level       uint32
	count       uint32
}

type commandBufferBeginInfo struct {
	sType            uint32
	pNext            ptr
	flags            uint32
	pInheritanceInfo ptr
}

type submitInfo struct {
	sType                uint32
	pNext                ptr
	waitSemaphoreCount   uint32
	pWaitSemaphores      ptr
	pWaitDstStageMask    ptr
	commandBufferCount   uint32
	pCommandBuffers      *handle
	signalSemaphoreCount uint32
	pSignalSemaphores    ptr
}
