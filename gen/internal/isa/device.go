package isa

import (
	"bytes"
	"fmt"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// deviceRow is one configuration of a platform.
type deviceRow struct {
	Doc          string `toml:"doc" doc:"The device." required:"true"`
	Platform     string `toml:"platform" doc:"Its [platform]." required:"true"`
	Subslices    int    `toml:"subslices" doc:"Subslices."`
	EUs          int    `toml:"eus" doc:"Execution units."`
	ThreadsPerEU int    `toml:"threads_per_eu" doc:"Threads of an execution unit."`
	SLMBytes     int    `toml:"slm_bytes" doc:"Bytes of workgroup memory of a subslice."`
	PCI          []int  `toml:"pci" doc:"PCI device numbers."`
}

func (t *tables) platformByName(n string) *table.Row[platform] {
	for _, p := range t.platforms {
		if p.Name == n {
			return p
		}
	}
	return nil
}

func (t *tables) checkDevices(errs *diag.List) {
	ids := map[int]string{}
	for _, d := range t.devices {
		v := &d.Val
		if t.platformByName(v.Platform) == nil {
			errs.Addf(d.At("platform"), d.Full, "unknown platform %q", v.Platform)
		}
		if v.Subslices <= 0 || v.EUs <= 0 || v.ThreadsPerEU <= 0 || v.EUs%v.Subslices != 0 {
			errs.Addf(d.Pos, d.Full, "%d EUs in %d subslices of %d threads each", v.EUs, v.Subslices, v.ThreadsPerEU)
		}
		for _, id := range v.PCI {
			if o, dup := ids[id]; dup {
				errs.Addf(d.At("pci"), d.Full, "PCI id %#x is already that of [%s]", id, o)
			}
			ids[id] = d.Full
		}
	}
}

func (t *tables) emitDevices(b *bytes.Buffer) {
	b.WriteString(`package isa

// Device is a configuration of a platform.
type Device struct {
	Name         string
	Platform     Platform
	Subslices    int      // groups of EUs that share local memory
	EUs          int      // execution units in all
	ThreadsPerEU int
	SLMBytes     int      // shared local memory of a subslice
	PCI          []uint16 // PCI device ids
}

// Devices are all configurations.
var Devices = [...]Device{
`)
	for _, d := range t.devices {
		v := &d.Val
		fmt.Fprintf(b, "\t{%q, %s, %d, %d, %d, %d, []uint16{", d.Name, t.platformByName(v.Platform).Val.Go, v.Subslices, v.EUs, v.ThreadsPerEU, v.SLMBytes)
		for _, id := range v.PCI {
			fmt.Fprintf(b, "%#04x, ", id)
		}
		b.WriteString("}},\n")
	}
	b.WriteString("}\n")
}
