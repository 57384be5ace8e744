package main

import "jacquard.example/core/pass"

// addressing says how a shader's buffers are addressed.
type addressing struct {
	buffers     string // "": as the target's rows say
	robust      bool
	descriptors int
}

// flags declares the flags for addressing.
func (x *addressing) flags(fs *flagSet) {
	var names []string
	for _, f := range pass.BufferFormats {
		names = append(names, f.Name)
	}
	fs.choice(&x.buffers, "buffers", names, "how buffers are addressed: by entry of the binding table and offset, which the hardware bounds; by address, without bounds; or by address with bounds checked in code")
	x.buffers = ""
	x.descriptors = pass.DefaultDescriptors
	fs.integer(&x.descriptors, "descriptors", "N", 1, "entries of the binding table for each array of buffers or images of unknown length")
	fs.boolean(&x.robust, "robust", "check bounds in code wherever a buffer is reached by address, and take no buffer to be as long as its block; addresses that a shader computes have no bounds")
}
