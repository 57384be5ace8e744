package rules

// Hygiene refuses rules that are right and yet of no use, or that may undo each
// other: see reachable, ends and loops.
func (t *Table) Hygiene() error {
	t.reachable()
	t.ends()
	if err := t.errs.Err(); err != nil {
		return err
	}
	t.loops()
	return t.errs.Err()
}
