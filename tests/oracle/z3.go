// SPDX-License-Identifier: MIT

package oracle

import (
	"fmt"
	"strings"
	"testing"
)

// Solve runs z3 on an SMT-LIB script and returns the lines of its answer. Rlimit bounds the work
// in z3's own units, which do not depend on the machine; 0 means no bound. An error in the
// script is an error here, although z3 continues after one.
func Solve(t testing.TB, script string, rlimit uint64) ([]string, error) {
	t.Helper()
	args := []string{"-in", "-smt2"}
	if rlimit > 0 {
		args = append(args, fmt.Sprintf("rlimit=%d", rlimit))
	}
	out, _, err := Run(t, "z3", []byte(script), args...)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), nil
}
