// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"flag"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"jacquard.example/core/pass/pipeline"
)

var (
	seed   = flag.Uint64("seed", 0, "which rows TestSample takes; 0: a number that changes with the rows")
	begin  = flag.Duration("begin", 20*time.Second, "how long TestSample starts mutants")
	finish = flag.Duration("finish", 40*time.Second, "when TestSample gives up on the last one")
)

func load(t *testing.T) (string, []*row) {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	list, err := rows()
	if err != nil {
		t.Fatal(err)
	}
	return dir, list
}

// TestRows: every row applies: its text occurs once in its file, its test exists, and the changed package compiles.
func TestRows(t *testing.T) {
	dir, list := load(t)
	c, err := newChecker(dir, list)
	if err != nil {
		t.Fatal(err)
	}
	soak := 0
	for _, r := range list {
		if r.Soak {
			soak++
		}
		if err := r.check(dir); err != nil {
			t.Errorf("[mutant.%s] %v", r.name, err)
		} else if err := c.compiles(r); err != nil {
			t.Errorf("[mutant.%s] does not compile: %v", r.name, err)
		}
	}
	if soak > len(list)/20 {
		t.Errorf("%d of %d rows are for make soak alone: at most one in twenty may be", soak, len(list))
	}
}

// TestCheckerAgreesWithGo: the checker refuses exactly the changed packages that the go command refuses.
func TestCheckerAgreesWithGo(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module world\n\ngo 1.26\n",
		"a/b.go": "package a\n\nimport \"strconv\"\n\nfunc Text(n int) string { return strconv.Itoa(n) }\n\nfunc Same[T any](x T) T { return x }\n\nfunc init() {}\n",
		"a/a.go": "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nconst limit = 3\n\nfunc Show(n int) (string, error) {\n" +
			"\tm := n + limit\n\tif m > 9 {\n\t\treturn \"\", os.ErrInvalid\n\t}\n\treturn fmt.Sprint(Same(m)), nil\n}\n\nfunc Other() { fmt.Println(Text(1)) }\n",
	})
	var list []*row
	for _, e := range []struct {
		find, replace string
		good          bool
	}{
		{"m > 9", "m < 9", true},
		{"Same(m)", "Text(m)", true},
		{"n + limit", "n", true},
		{"= 3", "= 4", true},
		{"m > 9", "n > 9", true},
		{"Same(m)", "Same(n)", true},
		{"fmt.Println(Text(1))", "", true},
		{"fmt.Sprint(Same(m))", "Text(m)", true},
		{"m > 9", "m > \"9\"", false},
		{"os.ErrInvalid", "nil", false}, // os is not used
		{"\t\treturn \"\", os", "\t\t_ = os", true},
		{"\treturn fmt", "\t_ = fmt", false}, // no return, and two values for one
		{"n + limit", "n + Limit", false},
		{"= 3", "= \"3\"", false}, // n + limit, in a body whose text is the same
		{"Text(1)", "Text(true)", false},
		{"m := n + limit", "m, k := n, limit", false}, // k is not used
		{"{\n\tm", "\tm", false},
	} {
		list = append(list, &row{File: "a/a.go", edit: edit{e.find, e.replace}, name: e.find + " → " + e.replace, Hangs: e.good})
	}
	c, err := newChecker(dir, list)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if err := c.compiles(r); (err == nil) != r.Hangs {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}

// write makes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSample runs as many mutants as fit into its time. Mutants of tables and of the generator take longer and run only
// in make mutants.
func TestSample(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the compiler several times")
	}
	dir, list := load(t)
	h := fnv.New64a()
	for _, r := range list {
		h.Write([]byte(r.name + r.Find + r.Replace + r.By))
	}
	s := h.Sum64()
	if *seed != 0 {
		s = *seed
	}
	list = slices.DeleteFunc(list, func(r *row) bool { return r.generates() || r.Hangs || r.Soak })
	rand.New(rand.NewPCG(s, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	start := time.Now()
	ctx, cancel := context.WithDeadline(t.Context(), start.Add(*finish))
	defer cancel()
	ran := 0
	for _, r := range list {
		if time.Since(start) > *begin {
			break
		}
		res := try(ctx, dir, r)
		if ctx.Err() != nil {
			break
		}
		ran++
		t.Logf("%s %s: %s", res.verdict, r.name, res.why)
		if res.verdict != found {
			t.Errorf("[mutant.%s] %s: %s", r.name, res.verdict, res.why)
		}
	}
	t.Logf("%d mutants, seed %d", ran, s)
}

// world is a module with a function and two tests, only one of which calls it.
var world = map[string]string{
	"go.mod":  "module world\n\ngo 1.26\n",
	"a/a.go":  "package a\n\nfunc Add(x, y int) int {\n\treturn x + y\n}\n\nfunc Wait(n int) {\n\tfor i := 0; i < n; i++ {\n\t}\n}\n",
	"b/b.go":  "package b\n",
	"doc.txt": "x + y\n",
	"b/b_test.go": `package b

import (
	"testing"
	"world/a"
)

func TestAdd(t *testing.T) {
	t.Run("one", func(t *testing.T) {
		if a.Add(1, 0) != 1 {
			t.Fail()
		}
	})
	t.Run("two words", func(t *testing.T) {
		if a.Add(1, 2) != 3 {
			t.Fail()
		}
	})
}

func TestBlind(t *testing.T) { a.Add(1, 2) }

func TestSkipped(t *testing.T) { t.Skip() }

func TestCrash(t *testing.T) {
	done := make(chan bool)
	go func() {
		if a.Add(1, 2) != 3 {
			panic("wrong")
		}
		close(done)
	}()
	<-done
}
`,
}

// TestVerdicts: a mutant is found by the failure of the test that its row names,
// and by nothing else.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, world)
	for _, c := range []struct {
		find, replace, by string
		want              verdict
		why               string
	}{
		{"x + y", "x - y", "b TestAdd", found, "b TestAdd"},
		{"x + y", "x - y", "b TestAdd/two_words", found, "two_words"},
		{"x + y", "x - y", "b TestAdd/one", survived, "passes"},
		{"x + y", "y + x", "b TestAdd", survived, "passes"},
		{"x + y", "x - y", "b TestBlind", survived, "passes"},
		{"x + y", "x - y", "b TestSkipped", broken, "skipped"},
		{"x + y", "x - y", "b TestMissing", broken, "no test"},
		{"x + y", "x - y", "b TestCrash", found, "b TestCrash"},
		{"x + y", "x + z", "b TestAdd", broken, "does not compile"},
		{"x, y", "x, y", "b TestAdd", survived, "passes"},
		{"y", "z", "b TestAdd", broken, "occurs 2 times"},
		{"x + y", "x - y", "b", found, "TestAdd TestAdd/two_words"},
	} {
		r := &row{File: "a/a.go", edit: edit{c.find, c.replace}, By: c.by, name: "x"}
		if res := try(t.Context(), dir, r); res.verdict != c.want || !strings.Contains(res.why, c.why) {
			t.Errorf("%q for %q by %s: %s: %s, want %s: %s", c.replace, c.find, c.by, res.verdict, res.why, c.want, c.why)
		}
	}
	good := &row{File: "a/a.go", edit: edit{"x + y", "x - y"}, By: "b TestAdd", Why: "It differs.", name: "x"}
	if err := good.check(dir); err != nil {
		t.Error(err)
	}
	if err := sound(t.Context(), dir, []*row{good}); err != nil {
		t.Error(err)
	}
	if err := sound(t.Context(), dir, []*row{good, {By: "b TestSkipped"}}); err == nil {
		t.Error("a test that is skipped without a mutant is sound")
	}
	for _, change := range []func(r *row){
		func(r *row) { r.Replace = r.Find },
		func(r *row) { r.Why = "" },
		func(r *row) { r.By = "" },
		func(r *row) { r.Refused = "no" },
		func(r *row) { r.By, r.Refused = "", "no" },
		func(r *row) { r.File = "a/b.go" },
		func(r *row) { r.File = "b/b_test.go" },
		func(r *row) { r.Find = "return y" },
		func(r *row) { r.Find = "y" },
		func(r *row) { r.More = []edit{{"z", "w"}} },
		func(r *row) { r.By = "b Test" },
		func(r *row) { r.By = "b TestMissing" },
		func(r *row) { r.By = "a TestAdd" },
	} {
		r := *good
		change(&r)
		if r.check(dir) == nil {
			t.Errorf("%+v passes for a row", r)
		}
	}
}

// TestParse: rows keep their order; keys that a row cannot have are refused.
func TestParse(t *testing.T) {
	list, err := parse("f", "[mutant.b]\nfile = \"x\"\nfind = \"z\"\nmore = [{ find = \"u\", replace = \"v\" }]\n[mutant.a]\n"+
		"find = \"y\"\nhangs = true\n")
	if err != nil || len(list) != 2 || list[0].name != "b" || list[0].File != "x" || list[0].Find != "z" ||
		len(list[0].More) != 1 || list[0].More[0].Replace != "v" || list[1].name != "a" || !list[1].Hangs {
		t.Errorf("%v %v", list, err)
	}
	for _, bad := range []string{"[mutant.a]\nfnd = \"y\"\n", "[other.a]\n", "[mutant.a]\n[mutant.a]\n", "[mutant.a]\nfind = 1\n"} {
		if _, err := parse("f", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestPassesHaveMutants: the filetests of each pass of the IR find the mutant of a row.
func TestPassesHaveMutants(t *testing.T) {
	list, err := rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pipeline.Known.Names() {
		folder := "core/pass/filetests TestFiles/" + p
		if !slices.ContainsFunc(list, func(r *row) bool { return r.By == folder || strings.HasPrefix(r.By, folder+"/") }) {
			t.Errorf("no row is found by %s", folder)
		}
	}
}
