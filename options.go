// SPDX-License-Identifier: MIT

package jacquard

import (
	"cmp"
	"fmt"
	"math"

	"jacquard.example/backend/driver"
	"jacquard.example/core/pass"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/target"
)

// Layout places descriptors and push constants as the caller requires. The ABI of the program describes the result.
type Layout struct {
	// Entries places bindings, each once. Bindings that are not listed follow the listed ones, in order of set and
	// binding. Entries for bindings that the shader does not use have no effect.
	Entries []Entry
	// PushBytes is the size of the push constants in bytes, if it is greater than the declared size: the tables of
	// buffer sizes and addresses follow them. It must not exceed the limit of the target.
	PushBytes int
}

// Entry is the place of a binding. An array of descriptors takes consecutive entries.
type Entry struct {
	Set, Binding uint32
	Entry        int // entry of the binding table, unused for samplers
	Sampler      int // number of the sampler, for a sampler or a combined image and sampler
}

// resolve returns the options in the form that package driver takes, or an error about them.
func (o *Options) resolve(src *driver.Source) (*driver.Options, error) {
	d := &driver.Options{
		SIMD: o.SIMD, Widths: o.Widths, Entry: o.Entry, Stage: string(o.Stage), Zebin: o.Zebin, Robust: o.Robust,
		Descriptors: uint32(min(max(o.Descriptors, 0), math.MaxInt32)),
		Verify:      o.Verify, Explain: o.Explain, StopAfter: o.StopAfter, Trace: o.Trace,
	}
	if o.Target != "" || !src.NamesTarget() {
		var ok bool
		if d.Target, ok = target.ByName(string(cmp.Or(o.Target, DefaultTarget))); !ok {
			return nil, o.errorf("%s", target.Unknown(string(o.Target)))
		}
	}
	if o.Buffers != "" {
		var ok bool
		if d.Buffers, ok = pass.BufferFormat(o.Buffers); !ok {
			return nil, o.errorf("unknown buffer format %q", o.Buffers)
		}
	}
	for _, s := range o.Specialize {
		d.Specialize = append(d.Specialize, spirv.Spec{ID: s.ID, Bits: s.Bits})
	}
	var err error
	if d.Disable, err = driver.Disable(o.File, o.Disable); err != nil {
		return nil, err
	}
	d.Layout, err = o.layout()
	return d, err
}

// layout returns the layout with the bindings by set and number, or nil if there is none.
func (o *Options) layout() (*driver.Layout, error) {
	l := o.Layout
	if l == nil {
		return nil, nil
	}
	places := map[[2]uint32]pass.Place{}
	for _, e := range l.Entries {
		key := [2]uint32{e.Set, e.Binding}
		if _, ok := places[key]; ok {
			return nil, o.errorf("the layout places set %d, binding %d twice", e.Set, e.Binding)
		}
		if e.Entry < 0 || e.Sampler < 0 || e.Entry > math.MaxInt32 || e.Sampler > math.MaxInt32 {
			return nil, o.errorf("the layout places set %d, binding %d out of range", e.Set, e.Binding)
		}
		places[key] = pass.Place{Entry: uint32(e.Entry), Sampler: uint32(e.Sampler)}
	}
	if l.PushBytes < 0 || l.PushBytes > math.MaxInt32 {
		return nil, o.errorf("the layout's size of push constants is out of range")
	}
	return &driver.Layout{Places: places, PushBytes: uint32(l.PushBytes)}, nil
}

// errorf returns an error about the options.
func (o *Options) errorf(format string, args ...any) *Error {
	return &Error{File: o.File, Msg: fmt.Sprintf(format, args...)}
}
