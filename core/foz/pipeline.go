// SPDX-License-Identifier: MIT

package foz

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
)

// Pipeline is a pipeline. Its stages are in the order in which the application gave them.
type Pipeline struct {
	Hash   uint64
	Tag    Tag    // GraphicsPipeline, ComputePipeline or RaytracingPipeline
	Layout uint64 // the hash of its pipeline layout; 0 if it has none
	Stages []Stage
}

// Stage is a shader of a pipeline.
type Stage struct {
	Name      string // the name of the stage in package core/outline
	Entry     string // the name of the entry point
	Module    uint64 // the hash of the shader module; 0 if there is none
	Subgroup  uint32 // the size of subgroups that the pipeline requires; 0 if it requires none
	Constants []Constant
}

// Constant is the value of a specialization constant.
type Constant struct {
	ID   uint32
	Bits uint64
	Size int // in bytes: 1, 2, 4 or 8
}

// stageNames are the names of stages, by the number of their bit in VkShaderStageFlagBits (Vulkan specification).
var stageNames = [...]string{
	"vertex", "tess_control", "tess_eval", "geometry", "fragment", "compute", "TaskEXT", "MeshEXT", "RayGenerationKHR", "AnyHitKHR",
	"ClosestHitKHR", "MissKHR", "IntersectionKHR", "CallableKHR",
}

// StageNames returns the names of the stages in a mask of VkShaderStageFlags, or "all".
func StageNames(mask uint32) []string {
	const all, allGraphics = 0x7fffffff, 0x1f
	switch {
	case mask == all:
		return []string{"all"}
	case mask == allGraphics:
		return []string{"all graphics"}
	}
	names := []string{}
	for i, name := range stageNames {
		if mask>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// requiredSubgroupSize is VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO.
const requiredSubgroupSize = 1000225001

// pipelineJSON holds the members of VkComputePipelineCreateInfo, VkGraphicsPipelineCreateInfo and
// VkRayTracingPipelineCreateInfoKHR that are used.
type pipelineJSON struct {
	Layout string
	Stage  *stageJSON        // of a compute pipeline
	Stages []json.RawMessage // they are decoded one by one, once it is known how many there are
}

type stageJSON struct {
	Stage          uint32
	Module         string
	Name           string
	Specialization *struct {
		DataSize   uint64
		Data       string
		MapEntries []mapEntryJSON
	} `json:"specializationInfo"`
	Next []struct {
		Type         int64  `json:"sType"`
		SubgroupSize uint32 `json:"requiredSubgroupSize"`
	} `json:"pNext"`
}

type mapEntryJSON struct {
	ID     uint32 `json:"constantID"`
	Offset uint32
	Size   uint64
}

// Pipeline returns the pipeline of an entry.
func (a *Archive) Pipeline(e *Entry) (*Pipeline, error) {
	var x pipelineJSON
	_, err := a.decode(e, &x)
	if err != nil {
		return nil, err
	}
	p := &Pipeline{Hash: e.Hash, Tag: e.Tag}
	if p.Layout, err = e.handle("pipeline layout", x.Layout); err != nil {
		return nil, err
	}
	if x.Stage != nil {
		s, err := e.stage(x.Stage)
		if err != nil {
			return nil, err
		}
		p.Stages = append(p.Stages, s)
	}
	if n := len(x.Stages); n > MaxStages {
		return nil, e.errorf("the pipeline has %d stages; the limit is %d", n, MaxStages)
	}
	for _, text := range x.Stages {
		var y stageJSON
		if err := json.Unmarshal(text, &y); err != nil {
			return nil, e.errorf("its JSON is invalid: %s", reason(err))
		}
		s, err := e.stage(&y)
		if err != nil {
			return nil, err
		}
		p.Stages = append(p.Stages, s)
	}
	return p, nil
}

// Find returns the pipeline with a hash.
func (a *Archive) Find(hash uint64) (*Pipeline, error) {
	for _, tag := range []Tag{GraphicsPipeline, ComputePipeline, RaytracingPipeline} {
		if e, err := a.find(tag, hash); err == nil {
			return a.Pipeline(e)
		}
	}
	return nil, &Error{Msg: fmt.Sprintf("the archive has no pipeline %016x", hash)}
}

// stage checks a stage of a pipeline.
func (e *Entry) stage(x *stageJSON) (s Stage, err error) {
	at := bits.TrailingZeros32(x.Stage)
	if bits.OnesCount32(x.Stage) != 1 || at >= len(stageNames) {
		return s, e.errorf("its stage %#x is unknown", x.Stage)
	}
	s.Name, s.Entry = stageNames[at], x.Name
	if s.Module, err = e.handle("shader module", x.Module); err != nil {
		return s, err
	}
	for _, next := range x.Next {
		if next.Type == requiredSubgroupSize {
			s.Subgroup = next.SubgroupSize
		}
	}
	if x.Specialization == nil {
		return s, nil
	}
	data, err := base64.StdEncoding.DecodeString(x.Specialization.Data)
	if err != nil {
		return s, e.errorf("the data of its specialization is invalid: %v", err)
	}
	if uint64(len(data)) != x.Specialization.DataSize {
		return s, e.errorf("the data of its specialization has %d bytes, not %d as in its JSON", len(data), x.Specialization.DataSize)
	}
	for _, m := range x.Specialization.MapEntries {
		c := Constant{ID: m.ID, Size: int(min(m.Size, 16))}
		switch c.Size {
		case 1, 2, 4, 8:
		default:
			return s, e.errorf("the specialization constant %d has a size of %d bytes", m.ID, m.Size)
		}
		if n := uint64(len(data)); uint64(m.Offset) > n || m.Size > n-uint64(m.Offset) {
			return s, e.errorf("the specialization constant %d at byte %d is beyond the %d bytes of data", m.ID, m.Offset, n)
		}
		var value [8]byte
		copy(value[:], data[m.Offset:][:c.Size])
		c.Bits = binary.LittleEndian.Uint64(value[:])
		s.Constants = append(s.Constants, c)
	}
	return s, nil
}

// handle returns the hash of a resource; no text is 0, as is the hash of no resource.
func (e *Entry) handle(what, text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	hash, ok := parseHex(text)
	if !ok {
		return 0, e.errorf("the hash %.40q of its %s is not hexadecimal", text, what)
	}
	return hash, nil
}
