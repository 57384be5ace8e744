// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

package lavapipe

import (
	"testing"
	"unsafe"
)

// TestLayout compares the sizes of the structures with the sizes that a C compiler computes (vulkan_core.h 1.3.239, 64
// bits).
func TestLayout(t *testing.T) {
	for _, test := range []struct {
		name      string
		got, want uintptr
	}{
		{"VkApplicationInfo", unsafe.Sizeof(applicationInfo{}), 48},
		{"VkInstanceCreateInfo", unsafe.Sizeof(instanceCreateInfo{}), 64},
		{"VkDeviceQueueCreateInfo", unsafe.Sizeof(deviceQueueCreateInfo{}), 40},
		{"VkDeviceCreateInfo", unsafe.Sizeof(deviceCreateInfo{}), 72},
		{"VkPhysicalDeviceFeatures2", unsafe.Sizeof(features2{}), 240},
		{"VkPhysicalDeviceVulkan11Features", unsafe.Sizeof(features11{}), 64},
		{"VkPhysicalDeviceVulkan12Features", unsafe.Sizeof(features12{}), 208},
		{"VkPhysicalDeviceVulkan13Features", unsafe.Sizeof(features13{}), 80},
		{"VkPhysicalDeviceShaderAtomicFloatFeaturesEXT", unsafe.Sizeof(featuresAtomicFloat{}), 64},
		{"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT", unsafe.Sizeof(featuresAtomicFloat2{}), 64},
		{"VkQueueFamilyProperties", unsafe.Sizeof(queueFamilyProperties{}), 24},
		{"VkPhysicalDeviceMemoryProperties", unsafe.Sizeof(memoryProperties{}), 520},
		{"VkPhysicalDeviceProperties", unsafe.Sizeof(deviceProperties{}), 824},
		{"VkPhysicalDeviceProperties2", unsafe.Sizeof(properties2{}), 840},
		{"VkPhysicalDeviceVulkan11Properties", unsafe.Sizeof(properties11{}), 112},
		{"VkExtensionProperties", unsafe.Sizeof(extensionProperties{}), 260},
		{"VkBufferCreateInfo", unsafe.Sizeof(bufferCreateInfo{}), 56},
		{"VkMemoryRequirements", unsafe.Sizeof(memoryRequirements{}), 24},
		{"VkMemoryAllocateInfo", unsafe.Sizeof(memoryAllocateInfo{}), 32},
		{"VkMemoryAllocateFlagsInfo", unsafe.Sizeof(memoryAllocateFlagsInfo{}), 24},
		{"VkBufferDeviceAddressInfo", unsafe.Sizeof(bufferDeviceAddressInfo{}), 24},
		{"VkShaderModuleCreateInfo", unsafe.Sizeof(shaderModuleCreateInfo{}), 40},
		{"VkDescriptorSetLayoutBinding", unsafe.Sizeof(descriptorSetLayoutBinding{}), 24},
		{"VkDescriptorSetLayoutCreateInfo", unsafe.Sizeof(descriptorSetLayoutCreateInfo{}), 32},
		{"VkPushConstantRange", unsafe.Sizeof(pushConstantRange{}), 12},
		{"VkPipelineLayoutCreateInfo", unsafe.Sizeof(pipelineLayoutCreateInfo{}), 48},
		{"VkSpecializationMapEntry", unsafe.Sizeof(specializationMapEntry{}), 16},
		{"VkSpecializationInfo", unsafe.Sizeof(specializationInfo{}), 32},
		{"VkPipelineShaderStageCreateInfo", unsafe.Sizeof(pipelineShaderStage{}), 48},
		{"VkComputePipelineCreateInfo", unsafe.Sizeof(computePipelineCreateInfo{}), 96},
		{"VkDescriptorPoolSize", unsafe.Sizeof(descriptorPoolSize{}), 8},
		{"VkDescriptorPoolCreateInfo", unsafe.Sizeof(descriptorPoolCreateInfo{}), 40},
		{"VkDescriptorSetAllocateInfo", unsafe.Sizeof(descriptorSetAllocateInfo{}), 40},
		{"VkDescriptorBufferInfo", unsafe.Sizeof(descriptorBufferInfo{}), 24},
		{"VkWriteDescriptorSet", unsafe.Sizeof(writeDescriptorSet{}), 64},
		{"VkCommandPoolCreateInfo", unsafe.Sizeof(commandPoolCreateInfo{}), 24},
		{"VkCommandBufferAllocateInfo", unsafe.Sizeof(commandBufferAllocateInfo{}), 32},
		{"VkCommandBufferBeginInfo", unsafe.Sizeof(commandBufferBeginInfo{}), 32},
		{"VkSubmitInfo", unsafe.Sizeof(submitInfo{}), 72},
	} {
		if test.got != test.want {
			t.Errorf("%s has %d bytes, not %d", test.name, test.got, test.want)
		}
	}
}
