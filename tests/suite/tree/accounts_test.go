package tree

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "jacquard.example"

// TestAccountsShareNothing: of the project's packages, the interpreter and the
// model of the execution units have none in common, neither directly nor through
// others. Where they agree on a result, nothing has decided it for both.
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
	for p := range deps("core/interp") {
		if model[p] {
			t.Errorf("both depend on %s", p)
		}
	}
}
