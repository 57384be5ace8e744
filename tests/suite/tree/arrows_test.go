// Package tree tests the layout of the project: import arrows, freshness of
// generated/, tables of users, and the walks of the documentation as they stand.
package tree

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

const module = "jacquard.example"

// tables are the generated packages that hold nothing but what the tables say.
const tables = "generated/op generated/intrinsic generated/kind generated/spirvtab generated/isa"

// arrows says which of the project's packages a package may import. A row
// holds for the package and those below it; the longest one counts. "" is the
// module's root.
var arrows = map[string]string{
	"core/num":        "",
	"core/bits":       "",
	"core/reuse":      "",
	"core/work":       "",
	"core/match/prog": "",
	"gen":             "gen core/num core/bits core/match/prog",

	"generated/op":           "",
	"generated/intrinsic":    "",
	"generated/kind":         "",
	"generated/spirvtab":     "",
	"generated/isa":          "",
	"generated/abi":          "",
	"generated/latency":      "generated/isa",
	"generated/message":      "generated/isa generated/abi",
	"generated/rules/option": "",
	"generated/target":       "generated/isa generated/abi generated/latency generated/message generated/rules/option",
	"generated/legal":        "generated/target generated/op generated/intrinsic generated/kind",
	"generated/fold":         "generated/op core/num",

	"core/ir":         "core/work generated/op generated/intrinsic generated/kind core/bits",
	"generated/build": "core/ir " + tables,

	"core/analysis": "core/work core/ir core/bits core/reuse core/num generated/fold " + tables,
	"core/text":     "core/text/lex core/work core/ir core/bits core/num generated/fold generated/build " + tables,
	"core/text/lex": "core/work",
	"core/wire":     "core/work core/ir core/bits core/num generated/fold generated/build " + tables,
	"core/interp":   "core/work core/ir core/bits core/num core/texture core/analysis generated/fold generated/build " + tables,

	"core/texture": "core/num generated/kind",

	"core/validate":   "core/work core/ir core/bits core/num core/analysis core/text generated/fold " + tables,
	"core/match":      "core/match core/work core/ir core/bits core/reuse core/num core/analysis generated/fold generated/build generated/rules/option " + tables,
	"generated/rules": "generated/rules core/match core/ir core/num core/bits core/reuse core/analysis generated/fold generated/build " + tables,
	"core/pass":       "core/work core/ir core/bits core/reuse core/num core/analysis core/match core/text core/interp core/pass core/validate generated/fold generated/build generated/rules generated/target generated/legal " + tables,
	"core/spirv":      "core/work core/ir core/bits core/num core/analysis core/spirv generated/fold generated/build " + tables,

	"cmd/jacquard/amber":       "core/num core/texture core/work generated/kind",
	"cmd/jacquard/amber/tools": "cmd/jacquard/amber",

	"backend/intel/mir":       "core/work generated/isa generated/message core/bits",
	"backend/intel/mirtext":   "core/text/lex core/work backend/intel/mir generated/isa generated/message",
	"backend/intel/allocheck": "core/work backend/intel/mir generated/isa",
	"backend/intel/ra":        "core/bits core/reuse backend/intel/mir backend/intel/liveness",
	"backend/intel/eu":        "backend/intel/eu generated/isa generated/abi generated/latency generated/target",
	"backend/intel/eu/opencl": "backend/intel/eu backend/intel/zebin generated/abi generated/target",
	"backend/intel/hazards":   "core/work generated/isa",
	"backend/intel/legal":     "generated/isa core/bits",
	"backend/intel/zebin":     "",
	"backend":                 "backend core generated",
	"generated/intel/select":  "core/ir core/match core/analysis core/bits core/num backend/intel/mir generated/fold generated/target " + tables,

	"":             "core backend generated",
	"cmd/jacquard": "jacquard cmd/jacquard core backend generated",
	"tests":        "jacquard core backend generated tests gen cmd",
}

// thirdParty are the parts of the project that may import modules of others.
// The product is none of them.
var thirdParty = []string{"gen", "tests"}

type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string // without those of test files
	Module     *struct{ Path string }
}

// TestImportArrows checks the imports of every package of the project against
// the arrows.
func TestImportArrows(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Module", "./...")
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	standard := map[string]bool{"C": true}
	var ours []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		standard[p.ImportPath] = p.Standard
		if p.Module != nil && p.Module.Path == module {
			ours = append(ours, p)
		}
	}
	if len(ours) < 10 {
		t.Fatalf("go list names %d packages of the project", len(ours))
	}
	for _, p := range ours {
		path := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		row, known := rowOf(path)
		if !known {
			t.Errorf("package %s has no row in the table of arrows", path)
			continue
		}
		for _, i := range p.Imports {
			target, isOurs := strings.CutPrefix(i, module)
			switch {
			case isOurs:
				target = strings.TrimPrefix(target, "/")
				if target == "" {
					target = "jacquard"
				}
				if !within(target, strings.Fields(arrows[row])) {
					t.Errorf("%s imports %s; the arrows of %q allow: %s", path, target, row, arrows[row])
				}
			case !standard[i] && !within(path, thirdParty):
				t.Errorf("%s is part of the product and imports %s", path, i)
			}
		}
	}
}

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

// rowOf finds the longest row that path lies below.
func rowOf(path string) (string, bool) {
	for p := path; p != ""; {
		if _, ok := arrows[p]; ok {
			return p, true
		}
		p = p[:max(strings.LastIndexByte(p, '/'), 0)]
	}
	return "", path == ""
}

// within says whether path is one of the packages of list, or below one.
func within(path string, list []string) bool {
	for _, l := range list {
		if path == l || strings.HasPrefix(path, l+"/") {
			return true
		}
	}
	return false
}

// TestArrowTable checks that the table's lookup tells packages apart, so that
// a mistake in it cannot let every import pass.
func TestArrowTable(t *testing.T) {
	for path, want := range map[string]string{
		"cmd/jacquard/amber/tools": "cmd/jacquard/amber/tools", "cmd/jacquard/amber": "cmd/jacquard/amber", "core/irx": "?",
		"backend/intel/eu/isa": "backend/intel/eu", "backend/intel/opt": "backend", "": "", "docs": "?",
	} {
		row, ok := rowOf(path)
		if !ok {
			row = "?"
		}
		if row != want {
			t.Errorf("%q has row %q, want %q", path, row, want)
		}
	}
	if within("core/irx", []string{"core/ir"}) || !within("core/ir/x", []string{"core/ir"}) || within("core", []string{"core/ir"}) {
		t.Error("within confuses packages")
	}
}
