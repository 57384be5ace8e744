// SPDX-License-Identifier: MIT

package record

import "jacquard.example"

// Statistic is a statistic in the form of VkPipelineExecutableStatisticKHR of the Vulkan specification
// (VK_KHR_pipeline_executable_properties). Its format is an unsigned 64-bit integer.
type Statistic struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"` // lines of stats have none
	Value       int    `json:"value"`
}

// statistics are the statistics that Mesa's Vulkan driver for Intel GPUs reports (anv_pipeline.c,
// anv_GetPipelineExecutableStatisticsKHR), under its names and in its order. Descriptions have at most 255 bytes
// (VK_MAX_DESCRIPTION_SIZE).
var statistics = []struct {
	name, description string
	of                func(*jacquard.Program, *jacquard.Variant) int
	compute           bool // only of compute shaders
}{
	{"Instruction Count", "Instructions of the machine code, without NOP and sync.nop.",
		func(_ *jacquard.Program, v *jacquard.Variant) int { return v.Stats.Instructions }, false},
	{"SEND Count", "Messages to memory, the sampler and other shared functions.",
		func(_ *jacquard.Program, v *jacquard.Variant) int { return v.Stats.Sends }, false},
	{"Loop Count", "Loops of the machine code; unrolled ones are not counted.",
		func(_ *jacquard.Program, v *jacquard.Variant) int { return v.Stats.Loops }, false},
	{"Cycle Count", "Estimated cycles of a thread that has an execution unit to itself.",
		func(_ *jacquard.Program, v *jacquard.Variant) int { return v.Stats.Cycles }, false},
	{"Spill Count", "Messages that write registers to scratch space.",
		func(_ *jacquard.Program, v *jacquard.Variant) int { return v.Stats.Spills }, false},
	{"Fill Count", "Messages that read registers back from scratch space.",
		func(_ *jacquard.Program, v *jacquard.Variant) int { return v.Stats.Fills }, false},
	{"Scratch Memory Size", "Bytes of scratch space of a thread.",
		func(_ *jacquard.Program, v *jacquard.Variant) int { return v.Scratch }, false},
	{"Workgroup Memory Size", "Bytes of shared memory of a workgroup.",
		func(p *jacquard.Program, _ *jacquard.Variant) int { return p.ABI.SharedBytes }, true},
}

func statisticsOf(p *jacquard.Program, v *jacquard.Variant) (list []Statistic) {
	for i := range statistics {
		if row := &statistics[i]; !row.compute || p.Stage == "compute" {
			list = append(list, Statistic{row.name, row.description, row.of(p, v)})
		}
	}
	return list
}
