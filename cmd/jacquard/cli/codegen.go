// SPDX-License-Identifier: MIT

package cli

import (
	"strings"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/core/pass"
)

// Codegen holds the flags for code generation: how a shader's buffers are addressed, and which passes are left out.
type Codegen struct {
	Buffers     string // "" means the target's default
	Robust      bool
	Descriptors int
	Disable     string // names, separated by commas
}

// Flags declares the flags.
func (x *Codegen) Flags(fs *FlagSet) {
	var names []string
	for _, f := range pass.BufferFormats {
		names = append(names, f.Name)
	}
	fs.Choice(&x.Buffers, "buffers", names,
		"how buffers are addressed: by binding table entry and offset, with bounds checked by hardware; by address, without bounds; "+
			"or by address with bounds checked in code")
	x.Buffers = ""
	x.Descriptors = pass.DefaultDescriptors
	fs.Integer(&x.Descriptors, "descriptors", "N", 1, "entries of the binding table for each array of buffers or images of unknown length")
	fs.Boolean(&x.Robust, "robust",
		"check bounds in code wherever a buffer is reached by address, and assume neither that a buffer is as long as its block "+
			"nor that an access is in bounds because a neighboring one is; addresses that a shader computes have no bounds")
	fs.Text(&x.Disable, "disable-pass", "A,B,C",
		"leave out passes that only make the code better; mir/NAME is a pass of the back end; an unknown name prints the list")
}

// Apply sets the options from the flags.
func (x *Codegen) Apply(o *jacquard.Options) {
	o.Buffers, o.Robust, o.Descriptors = x.Buffers, x.Robust, x.Descriptors
	if x.Disable != "" {
		o.Disable = strings.Split(x.Disable, ",")
	}
}

// Shared returns the IR passes to leave out. It rejects passes of the back end, which the command does not run.
func (x *Codegen) Shared(file, command string) ([]string, error) {
	var o jacquard.Options
	x.Apply(&o)
	d, err := driver.Disable(file, o.Disable)
	if err == nil && len(d.Machine) > 0 {
		err = Usagef("--disable-pass mir/%s: no pass of the back end runs with %s", d.Machine[0], command)
	}
	return d.IR, err
}
