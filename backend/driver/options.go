// SPDX-License-Identifier: MIT

package driver

import (
	"fmt"
	"slices"
	"time"

	"jacquard.example/core/pass"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/target"
)

// Options selects what to compile and how. The options of package jacquard document the fields with the same names.
type Options struct {
	Target      *target.Target // nil means the target that machine IR names
	SIMD        int
	Widths      []int
	Entry       string
	Stage       string // a name of Stages; "" means compute if the module has such a shader, otherwise vertex or fragment
	Specialize  []spirv.Spec
	Zebin       bool
	Buffers     pass.AddressFormat // 0 means the target's default
	Robust      bool
	Descriptors uint32
	Layout      *Layout
	Verify      bool
	Explain     bool
	Disable     Disabled
	StopAfter   string
	Trace       func(*Step)
}

// check returns an error if options contradict each other, the back end has no pass StopAfter, or the target has no zebins.
func (o *Options) check(file string) error {
	switch {
	case o.SIMD != 0 && len(o.Widths) > 0:
		return &Error{File: file, Msg: "both one width and a list of widths are requested"}
	case o.StopAfter != "" && !slices.Contains(Passes(), o.StopAfter):
		return &Error{File: file, Msg: fmt.Sprintf("the back end has no pass %q", o.StopAfter)}
	case o.Zebin && o.Target != nil && o.Target.Zebin == nil:
		return &Error{File: file, Msg: fmt.Sprintf("programs for %s cannot be written as a zebin", o.Target)}
	case o.Zebin && o.Layout != nil:
		return &Error{File: file, Msg: "a zebin has its own layout"}
	}
	return nil
}

// Layout places bindings and push constants.
type Layout struct {
	Places    map[[2]uint32]pass.Place // by set and binding
	PushBytes uint32
}

// Step describes a pass that has run.
type Step struct {
	Pass    string
	SIMD    int // the width, for a back-end pass; 0 for passes that do not depend on the width
	Changed bool
	Took    time.Duration
	text    func() []byte
}

// Text returns the result of the pass: Jacquard's text form of the shader (.jir) or of machine IR (.mir). It must be
// called before Options.Trace returns.
func (s *Step) Text() []byte { return s.text() }
