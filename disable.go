package jacquard

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/backend/intel"
	"jacquard.example/core/near"
	"jacquard.example/core/pass/pipeline"
)

// machinePrefix distinguishes the names of back-end passes in Options.Disable.
const machinePrefix = "mir/"

// OptionalPasses returns the names of the passes that Options.Disable can leave out; names of back-end passes start
// with "mir/". The compiled program has the same results without any of them.
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

// Disabled splits Options.Disable into passes of the IR and of the back end. The error names a pass that cannot be
// disabled.
func (o *Options) Disabled() (shared, machine []string, err error) {
	if len(o.Disable) == 0 {
		return nil, nil, nil
	}
	known := OptionalPasses()
	for _, name := range o.Disable {
		if !slices.Contains(known, name) {
			list := strings.Join(near.Sort(name, slices.Values(known)), ", ")
			return nil, nil, &Error{File: o.File,
				Msg: fmt.Sprintf("%q is not the name of a pass that can be disabled; these can, the nearest first: %s", name, list)}
		}
		if short, ok := strings.CutPrefix(name, machinePrefix); ok {
			machine = append(machine, short)
		} else {
			shared = append(shared, name)
		}
	}
	return shared, machine, nil
}
