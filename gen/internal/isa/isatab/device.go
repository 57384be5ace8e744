// SPDX-License-Identifier: MIT

package isatab

import (
	"fmt"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// deviceRow is one configuration of a platform.
type deviceRow struct {
	Doc          string `toml:"doc" doc:"The device." required:"true"`
	Platform     string `toml:"platform" doc:"Its [platform]." required:"true"`
	Subslices    int    `toml:"subslices" doc:"Subslices."`
	EUs          int    `toml:"eus" doc:"Execution units."`
	ThreadsPerEU int    `toml:"threads_per_eu" doc:"Threads of an execution unit."`
	GroupThreads int    `toml:"group_threads" doc:"The largest number of threads of a workgroup."`
	SLMBytes     int    `toml:"slm_bytes" doc:"Bytes of workgroup memory of a subslice."`
	Barriers     int    `toml:"barriers" doc:"Barriers of a subslice: each workgroup that waits at one takes one."`
	ScratchBytes int    `toml:"scratch_bytes" doc:"Bytes of scratch space that a thread can have, a power of two."`
	PCI          []int  `toml:"pci" doc:"PCI device numbers."`
}

func (t *Tables) platformByName(n string) *table.Row[Platform] {
	for _, p := range t.Platforms {
		if p.Name == n {
			return p
		}
	}
	return nil
}

// CheckDevices checks the rows of devices.
func (t *Tables) CheckDevices(errs *diag.List) {
	ids := map[int]string{}
	for _, d := range t.devices {
		v := &d.Val
		if t.platformByName(v.Platform) == nil {
			errs.Unknown(d.At("platform"), d.Full, "platform", v.Platform, table.Names(t.Platforms))
		}
		if v.Subslices <= 0 || v.EUs <= 0 || v.ThreadsPerEU <= 0 || v.EUs%v.Subslices != 0 {
			errs.Addf(d.Pos, d.Full, "%d EUs in %d subslices of %d threads each", v.EUs, v.Subslices, v.ThreadsPerEU)
		}
		if v.GroupThreads <= 0 || v.GroupThreads > v.EUs/max(v.Subslices, 1)*v.ThreadsPerEU {
			errs.Addf(d.At("group_threads"), d.Full, "%d threads of a workgroup, which must fit on one subslice", v.GroupThreads)
		}
		if v.Barriers <= 0 {
			errs.Addf(d.At("barriers"), d.Full, "%d barriers of a subslice", v.Barriers)
		}
		if v.ScratchBytes < 1024 || v.ScratchBytes&(v.ScratchBytes-1) != 0 {
			errs.Addf(d.At("scratch_bytes"), d.Full, "scratch_bytes must be a power of two and at least 1024, not %d", v.ScratchBytes)
		}
		for _, id := range v.PCI {
			if o, dup := ids[id]; dup {
				errs.Addf(d.At("pci"), d.Full, "PCI id %#x is already used by [%s]", id, o)
			}
			ids[id] = d.Full
		}
	}
	if errs.Err() != nil {
		return // a device may be meant for another platform
	}
	for _, p := range t.Platforms {
		if len(t.devicesOf(p)) == 0 {
			errs.Addf(p.Pos, p.Full, "the platform has no device, so its limits are unknown")
		}
	}
}

// devicesOf returns the devices of a platform.
func (t *Tables) devicesOf(p *table.Row[Platform]) (out []*deviceRow) {
	for _, d := range t.devices {
		if d.Val.Platform == p.Name {
			out = append(out, &d.Val)
		}
	}
	return out
}

// DeviceFile returns the Go file of devices.
func (t *Tables) DeviceFile() *emit.File {
	f := emit.NewFile("isa", "")
	f.Struct("Device is a configuration of a platform.", "Device", `
		Name string
		Platform Platform
		Subslices int // groups of EUs that share local memory
		EUs int // total number of execution units
		Limits
		PCI []uint16 // PCI device ids`)
	f.Struct("Limits are the resources that a program may use on a device.", "Limits", `
		ThreadsPerEU int // threads resident on an execution unit
		GroupThreads int // threads of a workgroup
		SLMBytes int // shared local memory of a subslice
		Barriers int // barriers of a subslice, one for each workgroup that has one
		ScratchBytes int // scratch space of a thread`)
	var devices, limits emit.Rows
	for _, d := range t.devices {
		v := &d.Val
		var ids []string
		for _, id := range v.PCI {
			ids = append(ids, fmt.Sprintf("%#04x", id))
		}
		devices.F("{%q, %s, %d, %d, Limits{%d, %d, %d, %d, %d}, []uint16{%s}},\n",
			d.Name, t.platformByName(v.Platform).Val.Go, v.Subslices, v.EUs, v.ThreadsPerEU, v.GroupThreads, v.SLMBytes,
			v.Barriers, v.ScratchBytes, strings.Join(ids, ", "))
	}
	for _, p := range t.Platforms {
		ds := t.devicesOf(p)
		least := *ds[0]
		for _, d := range ds[1:] {
			least.ThreadsPerEU = min(least.ThreadsPerEU, d.ThreadsPerEU)
			least.GroupThreads = min(least.GroupThreads, d.GroupThreads)
			least.SLMBytes = min(least.SLMBytes, d.SLMBytes)
			least.Barriers = min(least.Barriers, d.Barriers)
			least.ScratchBytes = min(least.ScratchBytes, d.ScratchBytes)
		}
		limits.F("%s: {%d, %d, %d, %d, %d},\n", p.Val.Go, least.ThreadsPerEU, least.GroupThreads, least.SLMBytes, least.Barriers,
			least.ScratchBytes)
	}
	f.Table("Devices holds all configurations.", "Devices", "[...]Device", &devices)
	f.Table("limits holds the minima over each platform's devices.", "limits", "[...]Limits", &limits)
	f.Returns("Limits returns the limits that every device of the platform meets.", "(p Platform) Limits() Limits", "limits[p]")
	return f
}
