// SPDX-License-Identifier: MIT

package tree

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "jacquard.example"

// shared lists the packages common to the interpreter and the model of the execution units: the encoding of texels and
// sampling, with their dependencies. Their tests compare with independent formulas; addresses, layouts and descriptors
// are implemented separately on each side.
var shared = []string{"core/texture", "core/num", "generated/kind"}

// TestAccountsShareNothing: the interpreter and the model of the execution units have no common packages of the project
// among their direct and indirect imports, except the packages in shared. If they agree on a result, they have computed
// it independently.
func TestAccountsShareNothing(t *testing.T) {
	deps := func(of string) map[string]bool {
		cmd := exec.Command("go", "list", "-deps", "./"+of)
		cmd.Dir = "../../.."
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		ours := map[string]bool{}
		for _, p := range strings.Fields(string(out)) {
			if path, ok := strings.CutPrefix(p, module+"/"); ok {
				ours[path] = true
			}
		}
		if !ours[of] {
			t.Fatalf("go list -deps %s does not name it", of)
		}
		return ours
	}
	model := deps("backend/intel/eu")
	both := map[string]bool{}
	for p := range deps("core/interp") {
		if both[p] = model[p]; model[p] && !slices.Contains(shared, p) {
			t.Errorf("both depend on %s", p)
		}
	}
	for _, p := range shared {
		if !both[p] {
			t.Errorf("%s is not shared", p)
		}
	}
}
