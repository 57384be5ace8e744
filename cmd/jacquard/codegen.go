package main

import (
	"strings"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/core/pass"
)

// codegen holds the flags for code generation: how a shader's buffers are addressed, and which passes are left out.
type codegen struct {
	buffers     string // "": the target's default
	robust      bool
	descriptors int
	disable     string // names, separated by commas
}

// flags declares the flags.
func (x *codegen) flags(fs *flagSet) {
	var names []string
	for _, f := range pass.BufferFormats {
		names = append(names, f.Name)
	}
	fs.choice(&x.buffers, "buffers", names,
		"how buffers are addressed: by entry of the binding table and offset, which the hardware bounds; by address, without bounds; "+
			"or by address with bounds checked in code")
	x.buffers = ""
	x.descriptors = pass.DefaultDescriptors
	fs.integer(&x.descriptors, "descriptors", "N", 1, "entries of the binding table for each array of buffers or images of unknown length")
	fs.boolean(&x.robust, "robust",
		"check bounds in code wherever a buffer is reached by address, and take no buffer to be as long as its block; "+
			"addresses that a shader computes have no bounds")
	fs.text(&x.disable, "disable-pass", "A,B,C",
		"leave out passes that only make the code better, those of the back end by mir/NAME; an unknown name is answered with a list")
}

// apply sets the options from the flags.
func (x *codegen) apply(o *jacquard.Options) {
	o.Buffers, o.Robust, o.Descriptors = x.buffers, x.robust, x.descriptors
	if x.disable != "" {
		o.Disable = strings.Split(x.disable, ",")
	}
}

// shared returns the IR passes to leave out. It rejects passes of the back end, which the command does not run.
func (x *codegen) shared(file, command string) ([]string, error) {
	var o jacquard.Options
	x.apply(&o)
	d, err := driver.Disable(file, o.Disable)
	if err == nil && len(d.Machine) > 0 {
		err = usagef("--disable-pass mir/%s: no pass of the back end runs with %s", d.Machine[0], command)
	}
	return d.IR, err
}
