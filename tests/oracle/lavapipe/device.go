// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

package lavapipe

import (
	"bytes"
	"fmt"
	"sync"
	"unsafe"
)

// A Device is an opened lavapipe with one queue and one command buffer. It is
// safe for concurrent use; dispatches run one after the other.
type Device struct {
	calls
	mu         sync.Mutex
	handle     handle
	queue      handle
	command    handle // the only command buffer, re-recorded each time
	memoryType uint32 // host-visible and coherent
	name       string
	subgroup   int // invocations
	features   map[string]bool
}

var open = sync.OnceValues(openDevice)

// Open returns the process's only device, opening it on the first call.
func Open() (*Device, error) { return open() }

// Name returns the driver's name of the device, which includes the LLVM version.
func (d *Device) Name() string { return d.name }

// Subgroup returns the number of invocations per subgroup.
func (d *Device) Subgroup() int { return d.subgroup }

// Has reports whether the device supports a feature, by its name in the Vulkan specification,
// or "subgroup" and a kind of operations; names not in the table of features are unsupported.
func (d *Device) Has(feature string) bool { return d.features[feature] }

// check turns a VkResult into an error.
func check(what string, r result) error {
	if r == 0 {
		return nil
	}
	return fmt.Errorf("lavapipe: %s: VkResult %d", what, r)
}

func openDevice() (*Device, error) {
	get, err := openDriver()
	if err != nil {
		return nil, err
	}
	d := &Device{}
	instance, err := d.createInstanceHandle(get)
	if err != nil {
		return nil, err
	}
	if err := d.bindAll(get, instance); err != nil {
		return nil, err
	}
	n := uint32(1)
	var physical handle
	// VK_INCOMPLETE (5) would mean that there is more than one device.
	if r := d.enumeratePhysicalDevices(instance, &n, &physical); (r != 0 && r != 5) || n == 0 {
		return nil, fmt.Errorf("lavapipe: no physical device (VkResult %d)", r)
	}
	var props deviceProperties
	d.getPhysicalDeviceProperties(physical, &props)
	d.name = string(props.deviceName[:bytes.IndexByte(props.deviceName[:], 0)])

	if err := d.findMemoryType(physical); err != nil {
		return nil, err
	}
	family, err := d.findQueueFamily(physical)
	if err != nil {
		return nil, err
	}
	if err := d.createDeviceHandle(physical, family); err != nil {
		return nil, err
	}
	return d, d.createCommandBuffer(family)
}

func (d *Device) createInstanceHandle(get lookup) (handle, error) {
	if err := bind(get, 0, "vkCreateInstance", &d.createInstance); err != nil {
		return 0, err
	}
	var instance handle
	return instance, check("vkCreateInstance", d.createInstance(&instanceCreateInfo{
		sType:            typeInstanceCreateInfo,
		pApplicationInfo: &applicationInfo{sType: typeApplicationInfo, apiVersion: apiVersion13},
	}, nil, &instance))
}

// findMemoryType selects memory that the host sees without flushing.
func (d *Device) findMemoryType(physical handle) error {
	var props memoryProperties
	d.getPhysicalDeviceMemoryProperties(physical, &props)
	for i := range props.typeCount {
		if props.types[i].propertyFlags&(memoryHostVisible|memoryHostCoherent) == memoryHostVisible|memoryHostCoherent {
			d.memoryType = i
			return nil
		}
	}
	return fmt.Errorf("lavapipe: no host-coherent memory")
}

func (d *Device) findQueueFamily(physical handle) (uint32, error) {
	n := uint32(8)
	var families [8]queueFamilyProperties
	d.getQueueFamilyProperties(physical, &n, &families[0])
	for i := range n {
		if families[i].queueFlags&queueComputeBit != 0 {
			return i, nil
		}
	}
	return 0, fmt.Errorf("lavapipe: no compute queue")
}

// createDeviceHandle opens the device with every feature it reports: tests select by shader,
// not by device. Among them is robustBufferAccess, which makes out-of-bounds reads of a buffer
// return zero or bytes of the buffer and keeps writes inside it.
func (d *Device) createDeviceHandle(physical handle, family uint32) error {
	const (
		atomicFloat  = "VK_EXT_shader_atomic_float"
		atomicFloat2 = "VK_EXT_shader_atomic_float2" // needs the other
	)
	extensions, err := d.extensionNames(physical)
	if err != nil {
		return err
	}
	f13 := &features13{sType: typeVulkan13Features}
	f12 := &features12{sType: typeVulkan12Features, pNext: ptr(f13)}
	f11 := &features11{sType: typeVulkan11Features, pNext: ptr(f12)}
	f := &features2{sType: typePhysicalDeviceFeatures2, pNext: ptr(f11)}
	var enabled []*byte
	if extensions[atomicFloat] {
		float := &featuresAtomicFloat{sType: typeShaderAtomicFloatFeatureEXT}
		f13.pNext = ptr(float)
		enabled = append(enabled, cString(atomicFloat))
		if extensions[atomicFloat2] {
			float.pNext = ptr(&featuresAtomicFloat2{sType: typeShaderAtomicFloat2Feature})
			enabled = append(enabled, cString(atomicFloat2))
		}
	}
	d.getPhysicalDeviceFeatures2(physical, f)
	d.features = map[string]bool{}
	for name, i := range featureIndex10 {
		d.features[name] = f.b[i] != 0
	}
	for name, i := range featureIndex11 {
		d.features[name] = f11.b[i] != 0
	}
	for name, i := range featureIndex12 {
		d.features[name] = f12.b[i] != 0
	}
	p11 := &properties11{sType: typeVulkan11Properties}
	d.getPhysicalDeviceProperties2(physical, &properties2{sType: typePhysicalDeviceProperties2, pNext: ptr(p11)})
	d.subgroup = int(p11.subgroupSize)
	for i, name := range subgroupOperations {
		d.features["subgroup "+name] = p11.subgroupOperations>>i&1 != 0
	}
	d.features[atomicFloat] = extensions[atomicFloat]
	d.features[atomicFloat2] = extensions[atomicFloat2]

	priority := float32(1)
	err = check("vkCreateDevice", d.createDevice(physical, &deviceCreateInfo{
		sType:          typeDeviceCreateInfo,
		pNext:          ptr(f),
		queueInfoCount: 1,
		pQueueCreateInfos: &deviceQueueCreateInfo{
			sType:            typeDeviceQueueCreateInfo,
			queueFamilyIndex: family,
			queueCount:       1,
			pQueuePriorities: &priority,
		},
		extensionCount:   uint32(len(enabled)),
		ppExtensionNames: unsafe.SliceData(enabled),
	}, nil, &d.handle))
	if err != nil {
		return err
	}
	d.getDeviceQueue(d.handle, family, 0, &d.queue)
	return nil
}

func (d *Device) extensionNames(physical handle) (map[string]bool, error) {
	var n uint32
	if err := check("vkEnumerateDeviceExtensionProperties", d.enumerateDeviceExtensions(physical, nil, &n, nil)); err != nil {
		return nil, err
	}
	names := map[string]bool{}
	if n == 0 {
		return names, nil
	}
	props := make([]extensionProperties, n)
	if err := check("vkEnumerateDeviceExtensionProperties", d.enumerateDeviceExtensions(physical, nil, &n, &props[0])); err != nil {
		return nil, err
	}
	for _, p := range props[:n] {
		names[string(p.name[:bytes.IndexByte(p.name[:], 0)])] = true
	}
	return names, nil
}

func (d *Device) createCommandBuffer(family uint32) error {
	var pool handle
	err := check("vkCreateCommandPool", d.createCommandPool(d.handle, &commandPoolCreateInfo{
		sType:            typeCommandPoolCreateInfo,
		flags:            resetCommandBuffers,
		queueFamilyIndex: family,
	}, nil, &pool))
	if err != nil {
		return err
	}
	return check("vkAllocateCommandBuffers", d.allocateCommandBuffers(d.handle, &commandBufferAllocateInfo{
		sType:       typeCommandBufferAllocateInfo,
		commandPool: pool,
		count:       1,
	}, &d.command))
}

// cString returns a pointer to a copy of s followed by a zero byte.
func cString(s string) *byte { return unsafe.SliceData(append([]byte(s), 0)) }

// The features that tests query, by their index among the booleans of
// VkPhysicalDeviceFeatures, …Vulkan11Features and …Vulkan12Features.
var (
	featureIndex10 = map[string]int{
		"robustBufferAccess": 0, "imageCubeArray": 2, "geometryShader": 4, "sampleRateShading": 6, "shaderImageGatherExtended": 28, "shaderStorageImageExtendedFormats": 29,
		"shaderStorageImageReadWithoutFormat": 31, "shaderStorageImageWriteWithoutFormat": 32,
		"shaderUniformBufferArrayDynamicIndexing": 33, "shaderSampledImageArrayDynamicIndexing": 34,
		"shaderStorageBufferArrayDynamicIndexing": 35, "shaderStorageImageArrayDynamicIndexing": 36, "shaderClipDistance": 37, "shaderCullDistance": 38, "shaderFloat64": 39, "shaderInt64": 40, "shaderInt16": 41,
		"shaderResourceResidency": 42, "shaderResourceMinLod": 43,
	}
	featureIndex11 = map[string]int{
		"storageBuffer16BitAccess": 0, "uniformAndStorageBuffer16BitAccess": 1, "storagePushConstant16": 2, "multiview": 4,
		"variablePointersStorageBuffer": 7, "variablePointers": 8,
	}
	// subgroupOperations are the bits of VkSubgroupFeatureFlags.
	subgroupOperations = [...]string{"basic", "vote", "arithmetic", "ballot", "shuffle", "shuffle relative", "clustered", "quad"}

	featureIndex12 = map[string]int{
		"storageBuffer8BitAccess": 2, "uniformAndStorageBuffer8BitAccess": 3, "storagePushConstant8": 4,
		"shaderBufferInt64Atomics": 5, "shaderSharedInt64Atomics": 6, "shaderFloat16": 7, "shaderInt8": 8,
		"descriptorIndexing": 9, "shaderUniformBufferArrayNonUniformIndexing": 13, "shaderSampledImageArrayNonUniformIndexing": 14, "shaderStorageBufferArrayNonUniformIndexing": 15,
		"shaderStorageImageArrayNonUniformIndexing": 16, "runtimeDescriptorArray": 29, "scalarBlockLayout": 31, "uniformBufferStandardLayout": 33,
		"shaderSubgroupExtendedTypes": 34, "bufferDeviceAddress": 38, "vulkanMemoryModel": 41, "vulkanMemoryModelDeviceScope": 42,
		"shaderOutputViewportIndex": 44, "shaderOutputLayer": 45,
	}
)
