// SPDX-License-Identifier: MIT

package modules

import (
	"fmt"
	"strings"

	"jacquard.example/generated/spirvtab"
	"jacquard.example/tests/support/spv"
)

// always are the capabilities that every Vulkan 1.3 device has.
var always = []string{
	"Matrix", "Shader", "ImageQuery", "SampledBuffer", "ImageBuffer", "Sampled1D", "Image1D", "InputAttachment", "DeviceGroup",
	"DotProductInputAll", "DotProductInput4x8Bit", "DotProductInput4x8BitPacked", "DotProduct", "ShaderNonUniform",
	"DerivativeControl", "DrawParameters", "DemoteToHelperInvocation", "DemoteToHelperInvocationEXT",
}

// features are the device features (Vulkan specification, "Features") that
// capabilities need, by the names of tests/oracle/lavapipe.
var features = map[string]string{
	"Int8": "shaderInt8", "Int16": "shaderInt16", "Int64": "shaderInt64", "Float16": "shaderFloat16", "Float64": "shaderFloat64",
	"StorageBuffer8BitAccess": "storageBuffer8BitAccess", "UniformAndStorageBuffer8BitAccess": "uniformAndStorageBuffer8BitAccess",
	"StoragePushConstant8": "storagePushConstant8", "StorageBuffer16BitAccess": "storageBuffer16BitAccess",
	"UniformAndStorageBuffer16BitAccess": "uniformAndStorageBuffer16BitAccess", "StoragePushConstant16": "storagePushConstant16",
	"StorageImageExtendedFormats": "shaderStorageImageExtendedFormats", "ImageGatherExtended": "shaderImageGatherExtended",
	"StorageImageReadWithoutFormat": "shaderStorageImageReadWithoutFormat", "StorageImageWriteWithoutFormat": "shaderStorageImageWriteWithoutFormat",
	"SampledCubeArray": "imageCubeArray", "ImageCubeArray": "imageCubeArray",
	"UniformBufferArrayDynamicIndexing": "shaderUniformBufferArrayDynamicIndexing", "SampledImageArrayDynamicIndexing": "shaderSampledImageArrayDynamicIndexing",
	"StorageBufferArrayDynamicIndexing": "shaderStorageBufferArrayDynamicIndexing", "StorageImageArrayDynamicIndexing": "shaderStorageImageArrayDynamicIndexing",
	"VariablePointersStorageBuffer": "variablePointersStorageBuffer", "VariablePointers": "variablePointers",
	"PhysicalStorageBufferAddresses": "bufferDeviceAddress",
	"VulkanMemoryModel":              "vulkanMemoryModel", "VulkanMemoryModelDeviceScope": "vulkanMemoryModelDeviceScope",
	"RuntimeDescriptorArray":              "runtimeDescriptorArray",
	"SampledImageArrayNonUniformIndexing": "shaderSampledImageArrayNonUniformIndexing", "StorageBufferArrayNonUniformIndexing": "shaderStorageBufferArrayNonUniformIndexing",
	"StorageImageArrayNonUniformIndexing":  "shaderStorageImageArrayNonUniformIndexing",
	"UniformBufferArrayNonUniformIndexing": "shaderUniformBufferArrayNonUniformIndexing",
	"AtomicFloat32AddEXT":                  "VK_EXT_shader_atomic_float", "AtomicFloat32MinMaxEXT": "VK_EXT_shader_atomic_float2",
	"Int64Atomics": "shaderBufferInt64Atomics",
	"Geometry":     "geometryShader", "SampleRateShading": "sampleRateShading", "InterpolationFunction": "sampleRateShading",
	"ClipDistance": "shaderClipDistance", "CullDistance": "shaderCullDistance", "MinLod": "shaderResourceMinLod", "MultiView": "multiview",
	"ShaderViewportIndexLayerEXT": "shaderOutputLayer", "ShaderLayer": "shaderOutputLayer", "ShaderViewportIndex": "shaderOutputViewportIndex",
	"GroupNonUniform": "subgroup basic", "GroupNonUniformVote": "subgroup vote", "GroupNonUniformArithmetic": "subgroup arithmetic",
	"GroupNonUniformBallot": "subgroup ballot", "GroupNonUniformShuffle": "subgroup shuffle", "GroupNonUniformShuffleRelative": "subgroup shuffle relative",
	"GroupNonUniformClustered": "subgroup clustered", "GroupNonUniformQuad": "subgroup quad",
}

// Lacks returns why a device does not accept a module: a capability that is unknown, that the device does not have or
// that tests/oracle/lavapipe does not enable, or an instruction set. It returns "" if nothing is lacking.
func (m *Module) Lacks(has func(feature string) bool) string {
	known := map[string]bool{}
	for _, c := range always {
		known[c] = true
	}
	for _, c := range Capabilities(m.SPIRV) {
		v := spirvtab.Capabilities.Lookup(c)
		if v == nil {
			return fmt.Sprintf("capability %d is not known", c)
		}
		switch f := features[v.Name]; {
		case known[v.Name]:
		case f == "":
			return "capability " + v.Name + " is not among the features that lavapipe is asked for"
		case !has(f):
			return "lavapipe does not have capability " + v.Name
		}
	}
	const opExtInstImport = 11
	missing := ""
	Each(m.SPIRV, func(op uint16, in []uint32) {
		if op != opExtInstImport || len(in) < 3 {
			return
		}
		if name, _ := spv.String(in[2:]); name != "GLSL.std.450" && !strings.HasPrefix(name, "NonSemantic.") {
			missing = "lavapipe does not have instruction set " + name
		}
	})
	return missing
}

// Declares reports whether a module declares a capability with the given name prefix.
func (m *Module) Declares(prefix string) bool {
	for _, c := range Capabilities(m.SPIRV) {
		if v := spirvtab.Capabilities.Lookup(c); v != nil && strings.HasPrefix(v.Name, prefix) {
			return true
		}
	}
	return false
}
