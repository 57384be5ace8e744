// SPDX-License-Identifier: MIT

package report

import (
	"context"
	"slices"

	"jacquard.example"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Version is the value of the field "version" of reports. It increases if a field is removed or changes its meaning.
const Version = 1

// Report is the report of a shader for a target. Lists are empty, not absent, if there is an error.
type Report struct {
	Version      int                `json:"version"`
	File         string             `json:"file"`
	Target       string             `json:"target"`
	Products     []string           `json:"products"` // that have the target's machine
	Stage        string             `json:"stage"`
	Entry        string             `json:"entry"`
	Device       Device             `json:"device"` // the device that Threads are computed for
	Error        *string            `json:"error"`
	Width        jacquard.Width     `json:"width"` // the width that compile chooses, and why
	Widths       []Variant          `json:"widths"`
	Lines        []LineCost         `json:"lines"`        // costs at the chosen width, like all that follows, highest first
	Instructions []Instruction      `json:"instructions"` // those with the highest costs
	Peak         jacquard.Peak      `json:"peak"`
	Spilled      []jacquard.Spilled `json:"spilled"`
	Arrays       []jacquard.Array   `json:"arrays"`
	Loops        []jacquard.Loop    `json:"loops"`
	Remarks      []jacquard.Remark  `json:"remarks"`
	Hints        []Hint             `json:"hints"`
	Source       []SourceLine       `json:"source"` // the lines that the others name, if their text is known

	device   *isa.Device
	local    [3]uint32 // invocations of a workgroup, of a compute shader
	sums     map[place]sum
	adjacent map[place]int // by line: loads of one component that have a neighbor
	text     sources
	name     string // name of the source in positions
}

// Device describes a configuration of a GPU.
type Device struct {
	Name         string `json:"name"`
	Subslices    int    `json:"subslices"`
	EUs          int    `json:"eus"`
	ThreadsPerEU int    `json:"threads_per_eu"`
}

// Variant is the shader at a width.
type Variant struct {
	SIMD          int            `json:"simd"`
	Chosen        bool           `json:"chosen"`
	Error         string         `json:"error,omitempty"` // why it cannot be compiled; the rest is then 0 or empty
	CyclesPerLane float64        `json:"cycles_per_lane"` // cycles per lane that a workgroup fills
	Scratch       int            `json:"scratch_bytes"`   // scratch memory of a thread
	Shared        int            `json:"shared_bytes"`    // shared memory of a workgroup
	Messages      map[string]int `json:"messages"`        // by kind
	Threads       Threads        `json:"threads"`
	jacquard.Stats
}

// place is a line of the source; line is 0 for costs that belong to no line.
type place struct {
	file string
	line int
}

// LineCost is the cost of a source line.
type LineCost struct {
	File   string  `json:"file"`
	Line   int     `json:"line"` // 0 for the whole shader or a cost without a position
	Cycles int     `json:"cycles"`
	Share  float64 `json:"share"`            // share of all cycles
	Source string  `json:"source,omitempty"` // the text of the line, if it is known
}

// Instruction is the cost of an instruction of the machine code.
type Instruction struct {
	Text string `json:"text"` // as jacquard dis writes it
	IR   string `json:"ir"`   // what it was selected for; empty if it belongs to nothing in the shader
	LineCost
}

// Input is a shader to report on.
type Input struct {
	File    string // its name in the report
	Text    []byte // text of the source if Module was translated from it, else nil
	Module  []byte // as jacquard.Compile takes it
	Options jacquard.Options
}

// Make reports on a shader for the target of its options, or the default one if that is unknown, and for the first
// device of its platform in the table. It returns the compiler's error if the shader cannot be compiled.
func Make(ctx context.Context, in *Input) (*Report, error) {
	machine, ok := target.ByName(string(in.Options.Target))
	if !ok {
		machine, _ = target.ByName(string(jacquard.DefaultTarget))
	}
	x := Failed(in, nil)
	x.Target, x.Products = machine.Name, machine.Products
	device := DevicesOf(machine.Platform)[0]
	x.device = device
	x.Device = Device{device.Name, device.Subslices, device.EUs, device.ThreadsPerEU}
	o := in.Options
	o.Explain = true
	p, err := jacquard.Compile(ctx, in.Module, o)
	if err != nil {
		return nil, err
	}
	x.Stage, x.Entry = string(p.Stage), p.Entry
	x.Width, x.local = p.Width, p.ABI.LocalSize
	o.Stage, o.Entry, o.SIMD = p.Stage, p.Entry, 0
	o.Widths, o.Explain = machine.Widths, false
	all, err := jacquard.Compile(ctx, in.Module, o)
	if err != nil {
		return nil, err
	}
	for _, simd := range machine.Widths {
		k := slices.IndexFunc(all.Variants, func(v jacquard.Variant) bool { return v.SIMD == simd })
		if k < 0 {
			x.Widths = append(x.Widths, Variant{
				SIMD: simd, Error: all.Impossible[simd], Messages: map[string]int{}, Threads: Threads{Limits: []Limit{}},
			})
			continue
		}
		v := variantOf(device, p.Stage, &all.Variants[k])
		v.Chosen = simd == p.Variants[0].SIMD
		x.Widths = append(x.Widths, v)
	}
	v := &p.Variants[0]
	x.text, x.name = sourcesOf(in), in.Options.File
	x.Peak, x.Spilled, x.Arrays = v.Cost.Peak, v.Cost.Spilled, v.Cost.Arrays
	x.Loops, x.Remarks = v.Cost.Loops, v.Cost.Remarks
	x.costs(v)
	x.Hints = hints(x)
	x.quote()
	return x, nil
}

// Failed returns a report without facts, with the error of the compiler, or without an error if err is nil.
func Failed(in *Input, err error) *Report {
	x := &Report{
		Version: Version, File: in.File, Target: string(in.Options.Target), Stage: string(in.Options.Stage), Entry: in.Options.Entry,
		Products: []string{}, Widths: []Variant{}, Lines: []LineCost{}, Instructions: []Instruction{},
		Peak:    jacquard.Peak{Live: []jacquard.Live{}},
		Spilled: []jacquard.Spilled{}, Arrays: []jacquard.Array{}, Loops: []jacquard.Loop{}, Remarks: []jacquard.Remark{},
		Hints: []Hint{}, Source: []SourceLine{},
	}
	if err != nil {
		msg := err.Error()
		x.Error = &msg
	}
	return x
}

// chosen returns the variant at the chosen width, or an empty one if there is none.
func (x *Report) chosen() *Variant {
	for i := range x.Widths {
		if x.Widths[i].Chosen {
			return &x.Widths[i]
		}
	}
	return &Variant{}
}

// variantOf describes a shader at a width.
func variantOf(device *isa.Device, stage jacquard.Stage, v *jacquard.Variant) Variant {
	group, lanes := 1, v.SIMD
	if size := v.ABI.LocalSize; stage == jacquard.Compute {
		lanes = int(size[0] * size[1] * size[2])
		group = (lanes + v.SIMD - 1) / v.SIMD
	}
	out := Variant{
		SIMD: v.SIMD, CyclesPerLane: float64(v.Stats.Cycles*group) / float64(lanes), Scratch: v.Scratch, Shared: v.ABI.SharedBytes,
		Messages: map[string]int{}, Threads: ThreadsOn(device, group, v.ABI.SharedBytes, v.Scratch, v.ABI.Barrier), Stats: v.Stats,
	}
	for _, in := range decode(device.Platform, v.Code) {
		if in.message != "" {
			out.Messages[in.message]++
		}
	}
	return out
}

// positions calls do for all positions of costs.
func positions(c *jacquard.Cost, do func(*jacquard.Position)) {
	do(&c.Peak.Position)
	for i := range c.Peak.Live {
		do(&c.Peak.Live[i].Position)
	}
	for i := range c.Spilled {
		do(&c.Spilled[i].Position)
		do(&c.Spilled[i].Peak.Position)
	}
	for i := range c.Arrays {
		for _, list := range [...][]jacquard.Position{c.Arrays[i].Indexed, c.Arrays[i].Loops} {
			for k := range list {
				do(&list[k])
			}
		}
	}
	for i := range c.Loops {
		do(&c.Loops[i].Position)
	}
	for i := range c.Remarks {
		do(&c.Remarks[i].Position)
	}
}
