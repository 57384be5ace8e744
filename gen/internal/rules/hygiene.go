package rules

// Hygiene refuses rules that are right and yet of no use, or that may undo each
// other: see reachable, ends and loops.
func (t *Table) Hygiene() error {
	t.reachable()
	t.ends()
	return t.errs.Err()
}
