package pass

import "slices"

// OrderError says that two passes of a pipeline run in an order in which the code is
// wrong, or cannot be selected.
type OrderError struct {
	Pass  string
	After string // runs before Pass
	// Missing says that After does not run at all.
	Missing bool
}

func (e *OrderError) Error() string {
	if e.Missing {
		return "pass " + e.Pass + " must run after " + e.After + ", which does not run"
	}
	return "pass " + e.Pass + " must run after " + e.After + ", and runs before it"
}

// CheckOrder reports the first pass of a pipeline that has run when one of those runs
// that its row says it comes after. In a whole pipeline those must run as well; a part
// may be given a shader that they have run over.
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
