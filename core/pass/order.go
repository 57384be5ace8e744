// SPDX-License-Identifier: MIT

package pass

import "slices"

// OrderError reports a pass of a pipeline that runs before, or without, a pass that must precede it: the code would be
// wrong or could not be selected.
type OrderError struct {
	Pass  string
	After string // must run before Pass
	// Missing is set if After does not run at all.
	Missing bool
}

func (e *OrderError) Error() string {
	if e.Missing {
		return "pass " + e.Pass + " must run after " + e.After + ", which does not run"
	}
	return "pass " + e.Pass + " must run after " + e.After + ", but runs before it"
}

// CheckOrder checks the After lists of the passes of a pipeline. It reports the first pass that runs before a pass in
// its list, or, if the pipeline is whole, without one. A partial pipeline may be given a shader that those passes have
// run over.
func CheckOrder(pipeline Pipeline, whole bool) error {
	flat := slices.Collect(pipeline.Passes())
	for i, p := range flat {
		if slices.ContainsFunc(flat[:i], func(q *Pass) bool { return q.Name == p.Name }) {
			continue
		}
		for _, name := range p.After {
			is := func(q *Pass) bool { return q.Name == name }
			if slices.ContainsFunc(flat[i:], is) {
				return &OrderError{Pass: p.Name, After: name}
			}
			if whole && !slices.ContainsFunc(flat[:i], is) {
				return &OrderError{Pass: p.Name, After: name, Missing: true}
			}
		}
	}
	return nil
}
