// SPDX-License-Identifier: MIT

package driver

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/backend/intel"
	"jacquard.example/core/near"
	"jacquard.example/core/pass/pipeline"
)

// machinePrefix distinguishes the names of back-end passes from names of passes of the IR.
const machinePrefix = "mir/"

// OptionalPasses returns the names of the passes that [Disable] accepts; names of back-end passes start with "mir/". The
// compiled program has the same results without any of them.
func OptionalPasses() (names []string) {
	for p := range pipeline.Known.Passes() {
		if !p.Required {
			names = append(names, p.Name)
		}
	}
	for _, p := range intel.Passes() {
		if p.Optional {
			names = append(names, machinePrefix+p.Name)
		}
	}
	return names
}

// Disabled names passes to leave out.
type Disabled struct {
	IR      []string
	Machine []string // without the prefix
}

// Disable returns the passes with the given names. The error names a pass that cannot be disabled.
func Disable(file string, names []string) (d Disabled, err error) {
	if len(names) == 0 {
		return d, nil
	}
	known := OptionalPasses()
	for _, name := range names {
		if !slices.Contains(known, name) {
			list := strings.Join(near.Sort(name, slices.Values(known)), ", ")
			msg := fmt.Sprintf("%q is not the name of a pass that can be disabled; these can, the nearest first: %s", name, list)
			return Disabled{}, &Error{File: file, Msg: msg}
		}
		if short, ok := strings.CutPrefix(name, machinePrefix); ok {
			d.Machine = append(d.Machine, short)
		} else {
			d.IR = append(d.IR, name)
		}
	}
	return d, nil
}

// Passes returns the names of the back-end passes in the order in which they run.
func Passes() []string {
	var names []string
	for _, p := range intel.Passes() {
		names = append(names, p.Name)
	}
	return names
}
