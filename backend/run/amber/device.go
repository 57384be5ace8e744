// SPDX-License-Identifier: MIT

package amber

import (
	"slices"
	"strings"
)

// A script may require features, properties and extensions of the device. The tables below list the ones that the
// interpreter and the model support. Other requirements are rejected, because a script must not run without them.

// features lists the names allowed after DEVICE_FEATURE, by the prefix before the dot. Members of
// VkPhysicalDeviceFeatures have no prefix.
var features = map[string][]string{
	"": {
		"imageCubeArray",
		"robustBufferAccess", // buffers always have bounds
		"shaderFloat64",
		"shaderImageGatherExtended",
		"shaderInt16",
		"shaderInt64",
		"shaderResourceMinLod",
		"shaderResourceResidency",
		"shaderSampledImageArrayDynamicIndexing",
		"shaderStorageBufferArrayDynamicIndexing",
		"shaderStorageImageArrayDynamicIndexing",
		"shaderStorageImageExtendedFormats",
		"shaderStorageImageMultisample",
		"shaderStorageImageReadWithoutFormat",
		"shaderStorageImageWriteWithoutFormat",
		"shaderUniformBufferArrayDynamicIndexing",
	},
	"BufferDeviceAddressFeatures": {"bufferDeviceAddress"},
	"Float16Int8Features":         {"shaderFloat16", "shaderInt8"},
	"Storage16BitFeatures":        {"storageBuffer16BitAccess", "storagePushConstant16", "uniformAndStorageBuffer16BitAccess"},
	"Storage8BitFeatures":         {"storageBuffer8BitAccess", "storagePushConstant8", "uniformAndStorageBuffer8BitAccess"},
	"ShaderClockFeatures":         {"shaderSubgroupClock"},
	"IndexTypeUint8Features":      {"indexTypeUint8"},
	"SubgroupSizeControl":         {"computeFullSubgroups", "subgroupSizeControl"},
	"SubgroupSupportedOperations": {"arithmetic", "ballot", "basic", "clustered", "quad", "shuffle", "shuffleRelative", "vote"},
	"SubgroupSupportedStages":     {"compute"},
	"VariablePointerFeatures":     {"variablePointers", "variablePointersStorageBuffer"},
	"VulkanMemoryModelFeatures":   {"vulkanMemoryModel", "vulkanMemoryModelDeviceScope"},

	"ZeroInitializeWorkgroupMemoryFeatures": {"shaderZeroInitializeWorkgroupMemory"},
}

// bareStructs lists the structures whose features may be named without the structure, as in VkScript and later
// versions of Vulkan.
var bareStructs = []string{
	"", "BufferDeviceAddressFeatures", "Float16Int8Features", "Storage16BitFeatures", "Storage8BitFeatures", "SubgroupSizeControl",
	"VariablePointerFeatures", "VulkanMemoryModelFeatures", "ZeroInitializeWorkgroupMemoryFeatures",
}

// graphicsFeatures enable something in graphics pipelines, or in stages that are rejected
// themselves. They do not affect compute pipelines.
var graphicsFeatures = []string{
	"alphaToOne", "depthBiasClamp", "depthBounds", "depthClamp", "DepthClampZeroOneFeatures.depthClampZeroOne", "drawIndirectFirstInstance",
	"dualSrcBlend", "fillModeNonSolid", "fragmentStoresAndAtomics", "fullDrawIndexUint32", "geometryShader", "independentBlend", "largePoints",
	"logicOp", "multiDrawIndirect", "multiViewport", "sampleRateShading", "shaderClipDistance", "shaderCullDistance",
	"shaderTessellationAndGeometryPointSize", "Storage16BitFeatures.storageInputOutput16", "SubgroupSupportedStages.fragment",
	"SubgroupSupportedStages.geometry", "SubgroupSupportedStages.tessellationControl", "SubgroupSupportedStages.tessellationEvaluation",
	"SubgroupSupportedStages.vertex", "tessellationShader", "variableMultisampleRate", "vertexPipelineStoresAndAtomics", "wideLines",
}

// floatControls lists the properties of FloatControlsProperties, without the
// suffix for the size: Float16, Float32 or Float64.
var floatControls = []string{
	"shaderDenormFlushToZero", "shaderDenormPreserve", "shaderRoundingModeRTE", "shaderRoundingModeRTZ", "shaderSignedZeroInfNanPreserve",
}

// extensions lists the supported extensions: of shaders, of the buffers and fixed functions that shaders use, and of
// feature queries.
var extensions = []string{
	"VK_AMD_shader_ballot", "VK_EXT_depth_range_unrestricted", "VK_EXT_descriptor_indexing", "VK_EXT_index_type_uint8",
	"VK_EXT_primitive_topology_list_restart", "VK_EXT_scalar_block_layout", "VK_EXT_shader_atomic_float",
	"VK_EXT_shader_atomic_float2", "VK_EXT_shader_demote_to_helper_invocation", "VK_EXT_shader_image_atomic_int64",
	"VK_EXT_shader_stencil_export", "VK_EXT_shader_subgroup_ballot", "VK_EXT_shader_subgroup_vote",
	"VK_EXT_shader_viewport_index_layer", "VK_EXT_subgroup_size_control", "VK_KHR_16bit_storage", "VK_KHR_8bit_storage",
	"VK_KHR_buffer_device_address", "VK_KHR_device_group", "VK_KHR_device_group_creation", "VK_KHR_get_physical_device_properties2",
	"VK_KHR_relaxed_block_layout", "VK_KHR_shader_atomic_int64", "VK_KHR_shader_clock", "VK_KHR_shader_expect_assume",
	"VK_KHR_shader_float16_int8", "VK_KHR_shader_float_controls", "VK_KHR_shader_float_controls2", "VK_KHR_shader_integer_dot_product",
	"VK_KHR_shader_non_semantic_info", "VK_KHR_shader_subgroup_extended_types", "VK_KHR_shader_subgroup_rotate",
	"VK_KHR_shader_terminate_invocation", "VK_KHR_shader_untyped_pointers", "VK_KHR_spirv_1_4", "VK_KHR_storage_buffer_storage_class",
	"VK_KHR_uniform_buffer_standard_layout", "VK_KHR_variable_pointers", "VK_KHR_vulkan_memory_model",
	"VK_KHR_workgroup_memory_explicit_layout", "VK_KHR_zero_initialize_workgroup_memory", "VK_INTEL_shader_integer_functions2",
	"VK_NV_compute_shader_derivatives",
}

const notHere = "neither the interpreter nor the model supports it"

// whyNoFeature returns the reason why a feature is not supported, or "".
func whyNoFeature(name string) string {
	family, member, dot := strings.Cut(name, ".")
	if dot && family != "" && slices.Contains(features[family], member) || slices.Contains(graphicsFeatures, name) {
		return ""
	}
	for _, f := range bareStructs {
		if slices.Contains(features[f], name) {
			return ""
		}
	}
	return notHere
}

// whyNoProperty returns the reason why a property of the device is not supported, or "".
func whyNoProperty(name string) string {
	control, ok := strings.CutPrefix(name, "FloatControlsProperties.")
	mode, bits, _ := strings.Cut(control, "Float")
	if ok && slices.Contains(floatControls, mode) && (bits == "16" || bits == "32" || bits == "64") {
		return ""
	}
	return notHere
}

// whyNoExtension returns the reason why an extension is not supported, or "".
func whyNoExtension(name string) string {
	if slices.Contains(extensions, name) {
		return ""
	}
	return notHere
}
