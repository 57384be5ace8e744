// SPDX-License-Identifier: MIT

package modules

import (
	"slices"

	"jacquard.example/generated/spirvtab"
)

// wanted are the capabilities (SPIR-V specification 3.31) of Vulkan compute that the compiler is meant to support.
var wanted = []string{
	"Matrix", "Shader", "Int8", "Int16", "Int64", "Float16", "Float64",
	"StorageBuffer8BitAccess", "UniformAndStorageBuffer8BitAccess", "StoragePushConstant8",
	"StorageBuffer16BitAccess", "UniformAndStorageBuffer16BitAccess", "StoragePushConstant16",
	"ImageQuery", "StorageImageExtendedFormats", "StorageImageReadWithoutFormat", "StorageImageWriteWithoutFormat",
	"SampledBuffer", "ImageBuffer", "Sampled1D", "Image1D", "SampledCubeArray", "ImageCubeArray", "StorageImageMultisample", "ImageMSArray",
	"UniformBufferArrayDynamicIndexing", "SampledImageArrayDynamicIndexing", "StorageBufferArrayDynamicIndexing", "StorageImageArrayDynamicIndexing",
	"GroupNonUniform", "GroupNonUniformVote", "GroupNonUniformArithmetic", "GroupNonUniformBallot", "GroupNonUniformShuffle",
	"GroupNonUniformShuffleRelative", "GroupNonUniformClustered", "GroupNonUniformQuad",
	"VariablePointersStorageBuffer", "VariablePointers", "PhysicalStorageBufferAddresses",
	"VulkanMemoryModel", "VulkanMemoryModelDeviceScope",
	"ShaderNonUniform", "RuntimeDescriptorArray",
	"UniformTexelBufferArrayDynamicIndexing", "StorageTexelBufferArrayDynamicIndexing",
	"UniformBufferArrayNonUniformIndexing", "SampledImageArrayNonUniformIndexing", "StorageBufferArrayNonUniformIndexing",
	"StorageImageArrayNonUniformIndexing", "UniformTexelBufferArrayNonUniformIndexing", "StorageTexelBufferArrayNonUniformIndexing",
	"DotProductInputAll", "DotProductInput4x8Bit", "DotProductInput4x8BitPacked", "DotProduct",
	"DenormPreserve", "DenormFlushToZero", "SignedZeroInfNanPreserve", "RoundingModeRTE", "RoundingModeRTZ",
	"AtomicFloat32AddEXT", "AtomicFloat32MinMaxEXT", "AtomicFloat64AddEXT", "AtomicFloat64MinMaxEXT", "AtomicFloat16AddEXT", "AtomicFloat16MinMaxEXT",
	"Int64Atomics", "DeviceGroup",
	"WorkgroupMemoryExplicitLayoutKHR", "WorkgroupMemoryExplicitLayout8BitAccessKHR", "WorkgroupMemoryExplicitLayout16BitAccessKHR",
}

// Capabilities returns the capabilities that a module declares.
func Capabilities(module []byte) (out []uint32) {
	const opCapability = 17
	Each(module, func(op uint16, in []uint32) {
		if op == opCapability && len(in) == 2 {
			out = append(out, in[1])
		}
	})
	return out
}

// Targeted reports whether the compiler is meant to support all capabilities of a module.
func (m *Module) Targeted() bool {
	for _, c := range Capabilities(m.SPIRV) {
		v := spirvtab.Capabilities.Lookup(c)
		if v == nil || !slices.Contains(wanted, v.Name) {
			return false
		}
	}
	return true
}

// Claimed reports whether the compiler's tables accept all capabilities of a module.
func (m *Module) Claimed() bool {
	for _, c := range Capabilities(m.SPIRV) {
		if v := spirvtab.Capabilities.Lookup(c); v == nil || !v.Read {
			return false
		}
	}
	return true
}
