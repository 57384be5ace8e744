// SPDX-License-Identifier: MIT

//go:build linux && (amd64 || arm64)

package lavapipe

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"jacquard.example/tests/support/spv"
)

// Limits of lavapipe (its VkPhysicalDeviceLimits), checked here because a
// driver need not check them.
const (
	maxSets         = 8
	maxPush         = 256
	maxUniformBytes = 65536
	maxStorageBytes = 1 << 27
	maxGroups       = 65535
)

// Run executes a dispatch and waits for it. It replaces the data of the bindings that a shader may write, and of
// Memory, with their contents after the dispatch.
func (d *Device) Run(c *Dispatch) error {
	if err := c.check(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	r := run{Device: d, c: c, stages: stageComputeBit}
	defer r.release()
	for _, step := range []func() error{r.buffers, r.memory, r.images, r.layouts, r.pipelineOf, r.descriptors, r.submit} {
		if err := step(); err != nil {
			return err
		}
	}
	r.takeBindings()
	for i, m := range c.Memory {
		copy(m.Data, r.reached[i].mapped)
	}
	return nil
}

// takeBindings replaces the data of the bindings that shaders may write.
func (r *run) takeBindings() {
	for i, b := range r.c.Bindings {
		if b.Kind == Storage || b.Kind == StorageTexelBuffer || b.Kind == StorageImage {
			p := r.place[i]
			copy(b.Data, r.spans[p.span].mapped[p.offset:])
		}
	}
}

// check rejects dispatches that the driver would accept silently and crash on. An empty entry point becomes "main".
func (c *Dispatch) check() error {
	if c.Entry == "" {
		c.Entry = "main"
	}
	if err := checkModule(c.Words, c.Entry, c.Specs); err != nil {
		return err
	}
	return c.checkBindings(c.Words)
}

// checkModule rejects an invalid module, a module without the entry point, and specialization constants of other
// sizes than 1, 2, 4 and 8 bytes.
func checkModule(words []uint32, entry string, specs []Spec) error {
	if err := spv.Check(words); err != nil {
		return err
	}
	if !slices.Contains(spv.EntryPoints(words), entry) {
		return fmt.Errorf("the module has no entry point %q", entry)
	}
	for _, s := range specs {
		switch len(s.Value) {
		case 1, 2, 4, 8:
		default:
			return fmt.Errorf("specialization constant %d has %d bytes", s.ID, len(s.Value))
		}
	}
	return nil
}

// checkBindings checks the bindings and push constants of a dispatch against its modules.
func (c *Dispatch) checkBindings(modules ...[]uint32) error {
	if len(c.Push)%4 != 0 || len(c.Push) > maxPush {
		return fmt.Errorf("%d bytes of push constants are not a multiple of 4, or more than %d", len(c.Push), maxPush)
	}
	for _, n := range c.Groups {
		if n > maxGroups {
			return fmt.Errorf("%d workgroups in a dimension, but lavapipe takes at most %d", n, maxGroups)
		}
	}
	for i, m := range c.Memory {
		if len(m.Data) == 0 || m.Push < 0 || m.Push%8 != 0 || m.Push+8 > len(c.Push) {
			return fmt.Errorf("memory %d is empty, or its address has no place in the push constants", i)
		}
	}
	have := map[spv.Slot]bool{}
	type element struct {
		spv.Slot
		element uint32
	}
	given := map[element]bool{}
	for i := range c.Bindings {
		b := &c.Bindings[i]
		slot := spv.Slot{Set: b.Set, Binding: b.Binding}
		limit := maxStorageBytes
		if b.Kind == Uniform {
			limit = maxUniformBytes
		}
		switch {
		case given[element{slot, b.Element}]:
			return fmt.Errorf("set %d binding %d is given twice", b.Set, b.Binding)
		case b.Set >= maxSets:
			return fmt.Errorf("descriptor set %d, but lavapipe has only %d sets", b.Set, maxSets)
		case b.Kind == Sampler:
		case len(b.Data) == 0 || len(b.Data) > limit:
			return fmt.Errorf("set %d binding %d has %d bytes, must have 1 to %d", b.Set, b.Binding, len(b.Data), limit)
		}
		if err := b.check(); err != nil {
			return fmt.Errorf("set %d binding %d: %w", b.Set, b.Binding, err)
		}
		have[slot], given[element{slot, b.Element}] = true, true
	}
	for _, words := range modules {
		for _, slot := range spv.Resources(words) {
			if !have[slot] {
				return fmt.Errorf("the shader's resource at set %d binding %d is not bound", slot.Set, slot.Binding)
			}
		}
	}
	return nil
}

// A place is the position of a binding in the spans.
type place struct {
	span   int
	offset uint64
}

// A run holds the objects of one dispatch.
type run struct {
	*Device
	c      *Dispatch
	stages uint32 // stages that use the bindings

	spans    []span
	reached  []span // reached span of each of c.Memory
	pictures []picture
	views    []view   // view for each of c.Bindings that is not a buffer
	place    []place  // place of each of c.Bindings
	sets     []handle // set layouts, indexed by set number
	layout   handle
	pipeline handle
	bound    []handle // descriptor sets, indexed by set number
	undo     []func()
	draw     *drawing // nil for a dispatch
}

func (r *run) release() {
	for _, f := range slices.Backward(r.undo) {
		f()
	}
}

// later registers an object to be destroyed at the end of the run.
func (r *run) later(destroy func(dev, object handle, alloc ptr), object handle) {
	r.undo = append(r.undo, func() { destroy(r.handle, object, nil) })
}

// A span is a range of host memory that one or more bindings expose to the shader.
type span struct {
	at     uintptr // address of host[0], to find overlaps
	host   []byte
	buffer handle
	mapped []byte
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// buffers creates the device's buffers. Bindings whose data is the same range of memory, or a part of such a range,
// share a buffer, since writes through one must be visible through the other. Ranges that overlap otherwise are an
// error.
func (r *run) buffers() error {
	var order []int
	for i := range r.c.Bindings {
		if r.c.Bindings[i].Kind != Sampler {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := r.c.Bindings[i].Data, r.c.Bindings[j].Data
		return cmp.Or(cmp.Compare(address(a), address(b)), cmp.Compare(len(b), len(a)))
	})
	r.place = make([]place, len(r.c.Bindings))
	for _, i := range order {
		data := r.c.Bindings[i].Data
		at := address(data)
		if n := len(r.spans); n > 0 {
			s := &r.spans[n-1]
			if end := s.at + uintptr(len(s.host)); at < end {
				if at+uintptr(len(data)) > end {
					return fmt.Errorf("set %d binding %d overlaps another binding in part", r.c.Bindings[i].Set, r.c.Bindings[i].Binding)
				}
				r.place[i] = place{n - 1, uint64(at - s.at)}
				continue
			}
		}
		r.place[i] = place{len(r.spans), 0}
		s, err := r.newSpan(data, false)
		if err != nil {
			return err
		}
		r.spans = append(r.spans, s)
	}
	return nil
}

// memory creates the buffers that the shader reaches by address, and writes their addresses into
// a copy of the push constants.
func (r *run) memory() error {
	if len(r.c.Memory) == 0 {
		return nil
	}
	if !r.Has("bufferDeviceAddress") {
		return fmt.Errorf("the device has no buffer addresses")
	}
	c := *r.c
	c.Push = slices.Clone(c.Push)
	r.c = &c
	for _, m := range c.Memory {
		s, err := r.newSpan(m.Data, true)
		if err != nil {
			return err
		}
		r.reached = append(r.reached, s)
		at := r.getBufferAddress(r.handle, &bufferDeviceAddressInfo{sType: typeBufferDeviceAddressInfo, buffer: s.buffer})
		binary.LittleEndian.PutUint64(c.Push[m.Push:], at)
	}
	return nil
}

// newSpan creates a buffer with the given contents, which has an address if addressable.
func (r *run) newSpan(data []byte, addressable bool) (span, error) {
	s := span{at: address(data), host: data}
	usage, flags := uint32(0), (*memoryAllocateFlagsInfo)(nil)
	if addressable {
		usage, flags = usageDeviceAddress, &memoryAllocateFlagsInfo{sType: typeMemoryAllocateFlagsInfo, flags: memoryDeviceAddress}
	}
	err := check("vkCreateBuffer", r.createBuffer(r.handle, &bufferCreateInfo{
		sType: typeBufferCreateInfo,
		size:  uint64(len(data)),
		usage: usageStorageBuffer | usageUniformBuffer | usageUniformTexel | usageStorageTexel | usageTransferSrc |
			usageTransferDst | usageIndexBuffer | usageVertexBuffer | usage,
	}, nil, &s.buffer))
	if err != nil {
		return s, err
	}
	r.later(r.destroyBuffer, s.buffer)
	var need memoryRequirements
	r.getBufferRequirements(r.handle, s.buffer, &need)
	var memory handle
	err = check("vkAllocateMemory", r.allocateMemory(r.handle, &memoryAllocateInfo{
		sType:           typeMemoryAllocateInfo,
		pNext:           ptr(flags),
		allocationSize:  need.size,
		memoryTypeIndex: r.memoryType,
	}, nil, &memory))
	if err != nil {
		return s, err
	}
	r.later(r.freeMemory, memory)
	if err := check("vkBindBufferMemory", r.bindBufferMemory(r.handle, s.buffer, memory, 0)); err != nil {
		return s, err
	}
	var at ptr
	if err := check("vkMapMemory", r.mapMemory(r.handle, memory, 0, wholeSize, 0, &at)); err != nil {
		return s, err
	}
	s.mapped = unsafe.Slice((*byte)(at), len(data))
	copy(s.mapped, data)
	return s, nil
}

// descriptorTypes maps kinds to the values of VkDescriptorType.
var descriptorTypes = [...]uint32{
	Storage: descStorageBuffer, Uniform: descUniformBuffer, StorageImage: 3, SampledImage: 2, CombinedImageSampler: 1,
	UniformTexelBuffer: 4, StorageTexelBuffer: 5, Sampler: 0, InputAttachment: 10,
}

// layouts creates a layout for every set up to the highest in use (unused sets are empty) and the pipeline layout.
func (r *run) layouts() error {
	var sets [][]descriptorSetLayoutBinding
	for _, b := range r.c.Bindings {
		for uint32(len(sets)) <= b.Set {
			sets = append(sets, nil)
		}
		known := slices.IndexFunc(sets[b.Set], func(l descriptorSetLayoutBinding) bool { return l.binding == b.Binding })
		if known >= 0 { // an array
			l := &sets[b.Set][known]
			if l.descriptorType != descriptorTypes[b.Kind] {
				return fmt.Errorf("set %d binding %d has descriptors of two kinds", b.Set, b.Binding)
			}
			l.descriptorCount = max(l.descriptorCount, b.Element+1)
			continue
		}
		sets[b.Set] = append(sets[b.Set], descriptorSetLayoutBinding{
			binding:         b.Binding,
			descriptorType:  descriptorTypes[b.Kind],
			descriptorCount: b.Element + 1,
			stageFlags:      r.stages,
		})
	}
	for _, bindings := range sets {
		var layout handle
		err := check("vkCreateDescriptorSetLayout", r.createDescriptorSetLayout(r.handle, &descriptorSetLayoutCreateInfo{
			sType:        typeDescriptorSetLayoutCreate,
			bindingCount: uint32(len(bindings)),
			pBindings:    unsafe.SliceData(bindings),
		}, nil, &layout))
		if err != nil {
			return err
		}
		r.later(r.destroyDescriptorSetLayout, layout)
		r.sets = append(r.sets, layout)
	}
	info := &pipelineLayoutCreateInfo{
		sType:       typePipelineLayoutCreateInfo,
		setCount:    uint32(len(r.sets)),
		pSetLayouts: unsafe.SliceData(r.sets),
	}
	if len(r.c.Push) > 0 {
		info.pushCount = 1
		info.pPushConstant = &pushConstantRange{stageFlags: r.stages, size: uint32(len(r.c.Push))}
	}
	if err := check("vkCreatePipelineLayout", r.createPipelineLayout(r.handle, info, nil, &r.layout)); err != nil {
		return err
	}
	r.later(r.destroyPipelineLayout, r.layout)
	return nil
}

// stage creates the module of a shader and returns the shader's stage of a pipeline.
func (r *run) stage(bit uint32, words []uint32, entry string, specs []Spec) (pipelineShaderStage, error) {
	var module handle
	err := check("vkCreateShaderModule", r.createShaderModule(r.handle, &shaderModuleCreateInfo{
		sType:    typeShaderModuleCreateInfo,
		codeSize: uintptr(4 * len(words)),
		pCode:    &words[0],
	}, nil, &module))
	if err != nil {
		return pipelineShaderStage{}, err
	}
	r.later(r.destroyShaderModule, module)
	var entries []specializationMapEntry
	var data []byte
	for _, s := range specs {
		entries = append(entries, specializationMapEntry{s.ID, uint32(len(data)), uintptr(len(s.Value))})
		data = append(data, s.Value...)
	}
	return pipelineShaderStage{
		sType:  typePipelineShaderStage,
		stage:  bit,
		module: module,
		pName:  cString(entry),
		pSpecializationInfo: &specializationInfo{
			mapEntryCount: uint32(len(entries)),
			pMapEntries:   unsafe.SliceData(entries),
			dataSize:      uintptr(len(data)),
			pData:         unsafe.SliceData(data),
		},
	}, nil
}

func (r *run) pipelineOf() error {
	stage, err := r.stage(stageComputeBit, r.c.Words, r.c.Entry, r.c.Specs)
	if err != nil {
		return err
	}
	err = check("vkCreateComputePipelines", r.createComputePipelines(r.handle, 0, 1, &computePipelineCreateInfo{
		sType:             typeComputePipelineCreateInfo,
		stage:             stage,
		layout:            r.layout,
		basePipelineIndex: -1,
	}, nil, &r.pipeline))
	if err != nil {
		return err
	}
	r.later(r.destroyPipeline, r.pipeline)
	return nil
}

func (r *run) descriptors() error {
	if len(r.sets) == 0 {
		return nil
	}
	var pool handle
	n := uint32(len(r.c.Bindings))
	most := n
	for _, b := range r.c.Bindings {
		most += b.Element // elements without a binding count too
	}
	var sizes []descriptorPoolSize
	for _, t := range descriptorTypes {
		sizes = append(sizes, descriptorPoolSize{t, most})
	}
	err := check("vkCreateDescriptorPool", r.createDescriptorPool(r.handle, &descriptorPoolCreateInfo{
		sType:         typeDescriptorPoolCreateInfo,
		maxSets:       uint32(len(r.sets)),
		poolSizeCount: uint32(len(sizes)),
		pPoolSizes:    &sizes[0],
	}, nil, &pool))
	if err != nil {
		return err
	}
	r.later(r.destroyDescriptorPool, pool)
	r.bound = make([]handle, len(r.sets))
	err = check("vkAllocateDescriptorSets", r.allocateDescriptorSets(r.handle, &descriptorSetAllocateInfo{
		sType:          typeDescriptorSetAllocateInfo,
		descriptorPool: pool,
		setCount:       uint32(len(r.sets)),
		pSetLayouts:    &r.sets[0],
	}, &r.bound[0]))
	if err != nil {
		return err
	}
	writes := make([]writeDescriptorSet, n)
	for i, b := range r.c.Bindings {
		writes[i] = writeDescriptorSet{
			sType:           typeWriteDescriptorSet,
			dstSet:          r.bound[b.Set],
			dstBinding:      b.Binding,
			dstArrayElement: b.Element,
			descriptorCount: 1,
			descriptorType:  descriptorTypes[b.Kind],
		}
		switch v := &r.views[i]; b.Kind {
		case Storage, Uniform:
			writes[i].pBufferInfo = &descriptorBufferInfo{r.spans[r.place[i].span].buffer, r.place[i].offset, uint64(len(b.Data))}
		case UniformTexelBuffer, StorageTexelBuffer:
			writes[i].pTexelBufferView = &v.texels
		default:
			writes[i].pImageInfo = &descriptorImageInfo{v.sampler, v.image, layoutGeneral}
		}
	}
	r.updateDescriptorSets(r.handle, n, &writes[0], 0, nil)
	return nil
}

func (r *run) submit() error {
	cmd := r.command
	if err := check("vkBeginCommandBuffer",
		r.beginCommandBuffer(cmd, &commandBufferBeginInfo{sType: typeCommandBufferBeginInfo})); err != nil {
		return err
	}
	r.undo = append(r.undo, func() { r.resetCommandBuffer(cmd, 0) })
	r.upload(cmd)
	point := uint32(bindPointCompute)
	if r.draw != nil {
		point = bindPointGraphics
	}
	r.cmdBindPipeline(cmd, point, r.pipeline)
	if len(r.bound) > 0 {
		r.cmdBindDescriptorSets(cmd, point, r.layout, 0, uint32(len(r.bound)), &r.bound[0], 0, nil)
	}
	if len(r.c.Push) > 0 {
		r.cmdPushConstants(cmd, r.layout, r.stages, 0, uint32(len(r.c.Push)), &r.c.Push[0])
	}
	if r.draw != nil {
		r.recordDraw(cmd)
	} else {
		r.cmdDispatch(cmd, r.c.Groups[0], r.c.Groups[1], r.c.Groups[2])
	}
	r.download(cmd)
	if err := check("vkEndCommandBuffer", r.endCommandBuffer(cmd)); err != nil {
		return err
	}
	err := check("vkQueueSubmit", r.queueSubmit(r.queue, 1, &submitInfo{
		sType:              typeSubmitInfo,
		commandBufferCount: 1,
		pCommandBuffers:    &cmd,
	}, 0))
	if err != nil {
		return err
	}
	// Waiting for the queue makes the shader's writes to coherent memory visible to the host.
	return check("vkQueueWaitIdle", r.queueWaitIdle(r.queue))
}
