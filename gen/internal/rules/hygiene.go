package rules

// Hygiene rejects rules that are correct but useless, or that may undo each
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
