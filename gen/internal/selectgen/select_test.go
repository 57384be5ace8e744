// SPDX-License-Identifier: MIT

package selectgen

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
)

var bless = flag.Bool("bless", false, "rewrite the expected messages")

// tables copies the project's tables except the rules and the selection rows to
// a new folder.
func tables(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range []string{"opcodes", "ir", "intrinsics", "intel/isa", "intel/meaning", "intel/target"} {
		if err := os.CopyFS(filepath.Join(dir, sub), os.DirFS(filepath.Join("../../../defs", sub))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, dir, path, text string) {
	t.Helper()
	full := filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func context(dir string) *domain.Context {
	return &domain.Context{Roots: []table.Root{{Dir: dir, Name: "defs"}}}
}

// TestRejectedTables loads every table in testdata/fail and compares the message with the
// comment lines that start the file. -bless rewrites those lines.
func TestRejectedTables(t *testing.T) {
	refused(t, "testdata/fail/*.toml", func(l *loader) error { return nil })
}

// TestWrongRows does the same with the tables of testdata/wrong, whose rows can be loaded but emit instructions that do not
// compute the matched operation.
func TestWrongRows(t *testing.T) {
	refused(t, "testdata/wrong/*.toml", (*loader).verify)
}

func refused(t *testing.T, pattern string, check func(l *loader) error) {
	dir := tables(t)
	write(t, dir, "opcodes/weave.toml", "[op.weave]\ndoc = \"Twice a, plus b.\"\nin = [\"int\", \"int\"]\nout = \"int\"\n"+
		"eval = \"2 * a + b\"\ntest = [\"(weave@8 3 1) = 7\"]\n")
	base, err := newLoader(context(dir))
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(pattern)
	if len(files) == 0 {
		t.Fatal("no tables")
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".toml"), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, "intel/select/rows.toml", string(text))
			l, err := base.read(context(dir))
			if err == nil {
				err = check(l)
			}
			if err == nil {
				t.Fatal("accepted")
			}
			want, rest := "", string(text)
			for strings.HasPrefix(rest, "# ") {
				line, r, _ := strings.Cut(rest, "\n")
				want, rest = want+line[2:]+"\n", r
			}
			got := err.Error() + "\n"
			if *bless {
				out := "# " + strings.Join(strings.Split(strings.TrimSuffix(got, "\n"), "\n"), "\n# ") + "\n" + rest
				if err := os.WriteFile(f, []byte(out), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("message\n%swant\n%s", got, want)
			}
		})
	}
}

// TestFolded: a row has claims with each modifier that it folds and with
// as many as possible, at every size.
func TestFolded(t *testing.T) {
	dir := tables(t)
	write(t, dir, "intel/select/rows.toml", "[select.x]\nfind = \"(fadd@16|32 a:mod b:abs)\"\nemit = [\"add:float dst a b\"]\n")
	tab, err := Claims(context(dir))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range tab.Rules {
		got = append(got, r.Find.String()+" = "+r.Replace.String())
	}
	want := []string{}
	for _, x := range []string{"16 hf", "32 f"} {
		size, typ, _ := strings.Cut(x, " ")
		for _, s := range []string{
			"(fadd@N a@N b@N) = (add:T a b)",
			"(fadd@N (fneg@N a@N) b@N) = (add:T (neg a) b)",
			"(fadd@N (fabs@N a@N) b@N) = (add:T (abs a) b)",
			"(fadd@N (fneg@N (fabs@N a@N)) b@N) = (add:T (neg (abs a)) b)",
			"(fadd@N a@N (fabs@N b@N)) = (add:T a (abs b))",
			"(fadd@N (fneg@N (fabs@N a@N)) (fabs@N b@N)) = (add:T (neg (abs a)) (abs b))",
		} {
			want = append(want, strings.NewReplacer("N", size, "T", typ).Replace(s))
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("claims\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestR11OneLanguage: a rewrite rule and a selection row parse the same expression alike
// and infer the same sizes.
func TestR11OneLanguage(t *testing.T) {
	const find = "(fadd@16|32 (fmul:used_once a b) #c)"
	const pred = "[predicate.used_once]\ndoc = \"Nothing else reads it.\"\nkind = \"heuristic\"\ngo = \"UsedOnce\"\n\n"
	dir := tables(t)
	write(t, dir, "algebraic/r.toml", pred+"[rule.x]\nfind = \""+find+"\"\nreplace = \"(ffma a b c)\"\ngives_up = [\"contract\"]\n")
	write(t, dir, "intel/select/s.toml", "[select.x]\nfind = \""+find+"\"\nemit = [\"mad:float dst c a b\"]\n")
	r, err := rules.Load(context(dir))
	if err != nil {
		t.Fatal(err)
	}
	s, err := load(context(dir))
	if err != nil {
		t.Fatal(err)
	}
	rule, row := r.Rules[0], s.rows[0]
	if rule.Find.String() != row.find.String() || rule.Find.String() != find {
		t.Errorf("the rule reads %s, the row %s", rule.Find, row.find)
	}
	if !pattern.Covers(rule.Find, rule.Typing, row.find, row.typing, nil) ||
		!pattern.Covers(row.find, row.typing, rule.Find, rule.Typing, nil) {
		t.Error("the rule and the row match different things")
	}
	for _, v := range rule.Typing.Vars {
		w := row.typing.Var(v.Name)
		if got, want := row.typing.Set(w.Class), rule.Typing.Set(v.Class); got != want {
			t.Errorf("%s has %s bits in the row, %s in the rule", v.Name, got, want)
		}
	}
}

// TestOperands: the forms of an operand of a template.
func TestOperands(t *testing.T) {
	ops, err := opcodes.Load(context("../../../defs"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := load(context("../../../defs"))
	if err != nil {
		t.Fatal(err)
	}
	x := &row{}
	if x.find, err = pattern.Parse("(iadd@32 a b)", pattern.Opcodes{Table: ops}); err != nil {
		t.Fatal(err)
	}
	if x.typing, err = pattern.Infer(x.find, nil); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]operand{
		"-a":      {kind: operVar, name: "a", neg: true, typ: "d"},
		"|b|":     {kind: operVar, name: "b", abs: true, typ: "d"},
		"-|b|":    {kind: operVar, name: "b", abs: true, neg: true, typ: "d"},
		"~a":      {kind: operVar, name: "a", not: true, typ: "d"},
		"a+2:uw":  {kind: operVar, name: "a", off: 2, typ: "uw"},
		"t3":      {kind: operTemp, name: "t3", temp: 3, typ: "d"},
		"dst":     {kind: operDst, name: "dst", typ: "d"},
		"null:ud": {kind: operNull, name: "null", typ: "ud"},
	} {
		got, err := l.operand(text, "d", x)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got.class, want.class = 0, 0
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s reads as %+v, want %+v", text, *got, want)
		}
	}
	for _, text := range []string{"-5", "0x1f", "12"} {
		got, err := l.operand(text, "d", x)
		if err != nil || got.kind != operImm {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}
