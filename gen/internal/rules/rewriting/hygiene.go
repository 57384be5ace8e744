// SPDX-License-Identifier: MIT

package rewriting

import (
	"jacquard.example/gen/internal/rules"
)

// Hygiene rejects rules that are correct but useless, or that may undo each
// other: see [rules.Table.Reachable], [rules.Table.Ends] and loops.
func Hygiene(t *rules.Table) error {
	t.Reachable()
	t.Ends()
	if err := t.Errs.Err(); err != nil {
		return err
	}
	loops(t)
	return t.Errs.Err()
}
