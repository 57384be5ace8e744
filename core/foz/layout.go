// SPDX-License-Identifier: MIT

package foz

import "strconv"

// Layout is a pipeline layout.
type Layout struct {
	Sets []uint64 // the hashes of descriptor set layouts; 0 is an unused set
	Push []PushRange
}

// PushRange is a range of push constants.
type PushRange struct {
	Stages uint32 `json:"stageFlags"` // see StageNames
	Offset uint32
	Size   uint32
}

// SetLayout is a descriptor set layout.
type SetLayout struct{ Bindings []Binding }

// Binding is a binding of a descriptor set layout.
type Binding struct {
	Binding uint32
	Type    DescriptorType `json:"descriptorType"`
	Count   uint32         `json:"descriptorCount"`
	Stages  uint32         `json:"stageFlags"`
}

// DescriptorType is a VkDescriptorType.
type DescriptorType uint32

// descriptorTypes are the names of the descriptor types from 0 (Vulkan specification).
var descriptorTypes = [...]string{
	"sampler", "combined image sampler", "sampled image", "storage image", "uniform texel buffer", "storage texel buffer",
	"uniform buffer", "storage buffer", "dynamic uniform buffer", "dynamic storage buffer", "input attachment",
}

func (t DescriptorType) String() string {
	switch {
	case int64(t) < int64(len(descriptorTypes)):
		return descriptorTypes[t]
	case t == 1000138000:
		return "inline uniform block"
	case t == 1000150000:
		return "acceleration structure"
	case t == 1000351000:
		return "mutable"
	}
	return "descriptor type " + strconv.FormatUint(uint64(t), 10)
}

// Layout returns a pipeline layout.
func (a *Archive) Layout(hash uint64) (*Layout, error) {
	e, err := a.find(PipelineLayout, hash)
	if err != nil {
		return nil, err
	}
	var x struct {
		SetLayouts []string
		Push       []PushRange `json:"pushConstantRanges"`
	}
	if _, err := a.decode(e, &x); err != nil {
		return nil, err
	}
	l := &Layout{Push: x.Push}
	for _, text := range x.SetLayouts {
		set, err := e.handle("descriptor set layout", text)
		if err != nil {
			return nil, err
		}
		l.Sets = append(l.Sets, set)
	}
	return l, nil
}

// SetLayout returns a descriptor set layout.
func (a *Archive) SetLayout(hash uint64) (*SetLayout, error) {
	e, err := a.find(DescriptorSetLayout, hash)
	if err != nil {
		return nil, err
	}
	l := new(SetLayout)
	_, err = a.decode(e, l)
	return l, err
}
