// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

package lavapipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ebitengine/purego"
)

// ErrMissing reports that the driver is not installed.
var ErrMissing = errors.New("lavapipe is not installed (Debian package mesa-vulkan-drivers)")

// manifests is the glob pattern of the driver manifest, whose name in Debian includes the
// architecture.
const manifests = "/usr/share/vulkan/icd.d/lvp_icd*.json"

// driverPath finds lavapipe's shared library through its manifest
// (Vulkan loader interface, "Driver manifest file format").
func driverPath() (string, error) {
	files, err := filepath.Glob(manifests)
	if err != nil || len(files) == 0 {
		return "", ErrMissing
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return "", err
	}
	var manifest struct {
		ICD struct {
			LibraryPath string `json:"library_path"`
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", fmt.Errorf("%s: %w", files[0], err)
	}
	path := manifest.ICD.LibraryPath
	if filepath.Base(path) != path && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(files[0]), path)
	}
	return path, nil
}

// calls holds the Vulkan commands in use. Structures are passed by address; a count of zero is
// passed with a nil pointer.
type calls struct {
	createInstance           func(info *instanceCreateInfo, alloc ptr, out *handle) result
	enumeratePhysicalDevices func(instance handle, n *uint32, out *handle) result

	getPhysicalDeviceProperties       func(dev handle, out *deviceProperties)
	getPhysicalDeviceProperties2      func(dev handle, out *properties2)
	getPhysicalDeviceFeatures2        func(dev handle, out *features2)
	getPhysicalDeviceMemoryProperties func(dev handle, out *memoryProperties)
	getQueueFamilyProperties          func(dev handle, n *uint32, out *queueFamilyProperties)
	enumerateDeviceExtensions         func(dev handle, layer ptr, n *uint32, out *extensionProperties) result
	createDevice                      func(dev handle, info *deviceCreateInfo, alloc ptr, out *handle) result

	getDeviceQueue        func(dev handle, family, index uint32, out *handle)
	createBuffer          func(dev handle, info *bufferCreateInfo, alloc ptr, out *handle) result
	destroyBuffer         func(dev, buffer handle, alloc ptr)
	getBufferRequirements func(dev, buffer handle, out *memoryRequirements)
	getBufferAddress      func(dev handle, info *bufferDeviceAddressInfo) uint64
	allocateMemory        func(dev handle, info *memoryAllocateInfo, alloc ptr, out *handle) result
	freeMemory            func(dev, memory handle, alloc ptr)
	bindBufferMemory      func(dev, buffer, memory handle, offset uint64) result
	mapMemory             func(dev, memory handle, offset, size uint64, flags uint32, out *ptr) result

	createShaderModule         func(dev handle, info *shaderModuleCreateInfo, alloc ptr, out *handle) result
	destroyShaderModule        func(dev, module handle, alloc ptr)
	createDescriptorSetLayout  func(dev handle, info *descriptorSetLayoutCreateInfo, alloc ptr, out *handle) result
	destroyDescriptorSetLayout func(dev, layout handle, alloc ptr)
	createPipelineLayout       func(dev handle, info *pipelineLayoutCreateInfo, alloc ptr, out *handle) result
	destroyPipelineLayout      func(dev, layout handle, alloc ptr)
	createComputePipelines     func(dev, cache handle, n uint32, infos *computePipelineCreateInfo, alloc ptr, out *handle) result
	destroyPipeline            func(dev, pipeline handle, alloc ptr)
	createGraphicsPipelines    func(dev, cache handle, n uint32, infos *graphicsPipelineCreateInfo, alloc ptr, out *handle) result
	createDescriptorPool       func(dev handle, info *descriptorPoolCreateInfo, alloc ptr, out *handle) result
	destroyDescriptorPool      func(dev, pool handle, alloc ptr)
	allocateDescriptorSets     func(dev handle, info *descriptorSetAllocateInfo, out *handle) result
	updateDescriptorSets       func(dev handle, nWrites uint32, writes *writeDescriptorSet, nCopies uint32, copies ptr)

	createImage          func(dev handle, info *imageCreateInfo, alloc ptr, out *handle) result
	destroyImage         func(dev, image handle, alloc ptr)
	getImageRequirements func(dev, image handle, out *memoryRequirements)
	bindImageMemory      func(dev, image, memory handle, offset uint64) result
	createImageView      func(dev handle, info *imageViewCreateInfo, alloc ptr, out *handle) result
	destroyImageView     func(dev, view handle, alloc ptr)
	createSampler        func(dev handle, info *samplerCreateInfo, alloc ptr, out *handle) result
	destroySampler       func(dev, sampler handle, alloc ptr)
	createBufferView     func(dev handle, info *bufferViewCreateInfo, alloc ptr, out *handle) result
	destroyBufferView    func(dev, view handle, alloc ptr)
	cmdPipelineBarrier   func(cmd handle, src, dst, flags, nMemory uint32, memory *memoryBarrier, nBuffer uint32, buffers ptr,
		nImage uint32, images *imageMemoryBarrier)
	cmdCopyBufferToImage func(cmd, buffer, image handle, layout, n uint32, regions *bufferImageCopy)
	cmdCopyImageToBuffer func(cmd, image handle, layout uint32, buffer handle, n uint32, regions *bufferImageCopy)

	createCommandPool      func(dev handle, info *commandPoolCreateInfo, alloc ptr, out *handle) result
	allocateCommandBuffers func(dev handle, info *commandBufferAllocateInfo, out *handle) result
	beginCommandBuffer     func(cmd handle, info *commandBufferBeginInfo) result
	endCommandBuffer       func(cmd handle) result
	resetCommandBuffer     func(cmd handle, flags uint32) result
	cmdBindPipeline        func(cmd handle, bindPoint uint32, pipeline handle)
	cmdBindDescriptorSets  func(cmd handle, bindPoint uint32, layout handle, first, n uint32, sets *handle, nDynamic uint32, dynamic ptr)
	cmdPushConstants       func(cmd, layout handle, stages, offset, size uint32, values *byte)
	cmdDispatch            func(cmd handle, x, y, z uint32)
	cmdBeginRendering      func(cmd handle, info *renderingInfo)
	cmdEndRendering        func(cmd handle)
	cmdBindVertexBuffers   func(cmd handle, first, n uint32, buffers *handle, offsets *uint64)
	cmdBindIndexBuffer     func(cmd, buffer handle, offset uint64, size uint32)
	cmdDraw                func(cmd handle, vertices, instances, firstVertex, firstInstance uint32)
	cmdDrawIndexed         func(cmd handle, indices, instances, firstIndex uint32, vertexOffset int32, firstInstance uint32)
	queueSubmit            func(queue handle, n uint32, infos *submitInfo, fence handle) result
	queueWaitIdle          func(queue handle) result
}

// A lookup returns the address of a Vulkan command.
type lookup = func(instance handle, name string) uintptr

// openDriver loads the driver's library. The interface version is negotiated before anything
// else is called, as the loader does.
func openDriver() (lookup, error) {
	path, err := driverPath()
	if err != nil {
		return nil, err
	}
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	negotiateAddr, err := purego.Dlsym(lib, "vk_icdNegotiateLoaderICDInterfaceVersion")
	if err != nil {
		return nil, err
	}
	var negotiate func(version *uint32) result
	purego.RegisterFunc(&negotiate, negotiateAddr)
	version := uint32(5)
	if r := negotiate(&version); r != 0 {
		return nil, fmt.Errorf("vk_icdNegotiateLoaderICDInterfaceVersion: VkResult %d", r)
	}
	addr, err := purego.Dlsym(lib, "vk_icdGetInstanceProcAddr")
	if err != nil {
		return nil, err
	}
	var get lookup
	purego.RegisterFunc(&get, addr)
	return get, nil
}

// bind points *fn at the command called name.
func bind(get lookup, instance handle, name string, fn any) error {
	addr := get(instance, name)
	if addr == 0 {
		return fmt.Errorf("the driver lacks %s", name)
	}
	purego.RegisterFunc(fn, addr)
	return nil
}

// bindAll binds every command that needs an instance.
func (c *calls) bindAll(get lookup, instance handle) error {
	for _, b := range []struct {
		name string
		fn   any
	}{
		{"vkEnumeratePhysicalDevices", &c.enumeratePhysicalDevices},
		{"vkGetPhysicalDeviceProperties", &c.getPhysicalDeviceProperties},
		{"vkGetPhysicalDeviceProperties2", &c.getPhysicalDeviceProperties2},
		{"vkGetPhysicalDeviceFeatures2", &c.getPhysicalDeviceFeatures2},
		{"vkGetPhysicalDeviceMemoryProperties", &c.getPhysicalDeviceMemoryProperties},
		{"vkGetPhysicalDeviceQueueFamilyProperties", &c.getQueueFamilyProperties},
		{"vkEnumerateDeviceExtensionProperties", &c.enumerateDeviceExtensions},
		{"vkCreateDevice", &c.createDevice},
		{"vkGetDeviceQueue", &c.getDeviceQueue},
		{"vkCreateBuffer", &c.createBuffer},
		{"vkDestroyBuffer", &c.destroyBuffer},
		{"vkGetBufferMemoryRequirements", &c.getBufferRequirements},
		{"vkGetBufferDeviceAddress", &c.getBufferAddress},
		{"vkAllocateMemory", &c.allocateMemory},
		{"vkFreeMemory", &c.freeMemory},
		{"vkBindBufferMemory", &c.bindBufferMemory},
		{"vkMapMemory", &c.mapMemory},
		{"vkCreateShaderModule", &c.createShaderModule},
		{"vkDestroyShaderModule", &c.destroyShaderModule},
		{"vkCreateDescriptorSetLayout", &c.createDescriptorSetLayout},
		{"vkDestroyDescriptorSetLayout", &c.destroyDescriptorSetLayout},
		{"vkCreatePipelineLayout", &c.createPipelineLayout},
		{"vkDestroyPipelineLayout", &c.destroyPipelineLayout},
		{"vkCreateComputePipelines", &c.createComputePipelines},
		{"vkDestroyPipeline", &c.destroyPipeline},
		{"vkCreateGraphicsPipelines", &c.createGraphicsPipelines},
		{"vkCreateDescriptorPool", &c.createDescriptorPool},
		{"vkDestroyDescriptorPool", &c.destroyDescriptorPool},
		{"vkAllocateDescriptorSets", &c.allocateDescriptorSets},
		{"vkUpdateDescriptorSets", &c.updateDescriptorSets},
		{"vkCreateImage", &c.createImage},
		{"vkDestroyImage", &c.destroyImage},
		{"vkGetImageMemoryRequirements", &c.getImageRequirements},
		{"vkBindImageMemory", &c.bindImageMemory},
		{"vkCreateImageView", &c.createImageView},
		{"vkDestroyImageView", &c.destroyImageView},
		{"vkCreateSampler", &c.createSampler},
		{"vkDestroySampler", &c.destroySampler},
		{"vkCreateBufferView", &c.createBufferView},
		{"vkDestroyBufferView", &c.destroyBufferView},
		{"vkCmdPipelineBarrier", &c.cmdPipelineBarrier},
		{"vkCmdCopyBufferToImage", &c.cmdCopyBufferToImage},
		{"vkCmdCopyImageToBuffer", &c.cmdCopyImageToBuffer},
		{"vkCreateCommandPool", &c.createCommandPool},
		{"vkAllocateCommandBuffers", &c.allocateCommandBuffers},
		{"vkBeginCommandBuffer", &c.beginCommandBuffer},
		{"vkEndCommandBuffer", &c.endCommandBuffer},
		{"vkResetCommandBuffer", &c.resetCommandBuffer},
		{"vkCmdBindPipeline", &c.cmdBindPipeline},
		{"vkCmdBindDescriptorSets", &c.cmdBindDescriptorSets},
		{"vkCmdPushConstants", &c.cmdPushConstants},
		{"vkCmdDispatch", &c.cmdDispatch},
		{"vkCmdBeginRendering", &c.cmdBeginRendering},
		{"vkCmdEndRendering", &c.cmdEndRendering},
		{"vkCmdBindVertexBuffers", &c.cmdBindVertexBuffers},
		{"vkCmdBindIndexBuffer", &c.cmdBindIndexBuffer},
		{"vkCmdDraw", &c.cmdDraw},
		{"vkCmdDrawIndexed", &c.cmdDrawIndexed},
		{"vkQueueSubmit", &c.queueSubmit},
		{"vkQueueWaitIdle", &c.queueWaitIdle},
	} {
		if err := bind(get, instance, b.name, b.fn); err != nil {
			return err
		}
	}
	return nil
}
