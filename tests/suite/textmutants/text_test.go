package textmutants

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/core/work"
	"jacquard.example/generated/target"
)

// TestTextMutants: whatever is changed in a text of IR, the parser or the validator refuses it, or it passes
// through the whole pipeline. TEXTS="100000 7" tries that many mutants with seed 7; those that fail are written
// to the directory KEEP.
func TestTextMutants(t *testing.T) {
	n, seed := 4000, uint64(1)
	if s := os.Getenv("TEXTS"); s != "" {
		fmt.Sscan(s, &n, &seed)
	}
	texts := sources(t)
	read, passed, bad := 0, 0, 0
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		source := Mutant(rng, texts[i%len(texts)])
		what, why := through(t, source)
		switch what {
		case parsed:
			read++
		case done:
			read, passed = read+1, passed+1
		case crashed:
			if bad++; bad <= 20 {
				t.Errorf("mutant %d/%d: %s", seed, i, why)
				if dir := os.Getenv("KEEP"); dir != "" {
					os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d_%d.jir", seed, i)), []byte(source), 0o644)
				}
			}
		}
	}
	t.Logf("of %d mutants %d are valid, %d pass through all passes", n, read, passed)
	if passed < n/20 {
		t.Error("the mutations are too wild")
	}
}

type outcome uint8

const (
	refused outcome = iota
	parsed          // and valid
	done            // after all passes
	crashed
)

// through parses a text, and if it is valid runs all passes.
func through(t testing.TB, source string) (what outcome, why string) {
	defer func() {
		if p := recover(); p != nil {
			what, why = crashed, fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	s, err := text.Parse([]byte(source))
	if err != nil || validate.Shader(s) != nil {
		return refused, ""
	}
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL}
	c.Work = work.NewMeter(t.Context(), work.MaxSteps)
	if err := c.Run(pipeline.Compute, nil); err != nil {
		return parsed, err.Error()
	}
	if err := validate.Shader(s); err != nil {
		return crashed, err.Error()
	}
	return done, ""
}

// sources are the texts of IR among the tests' data.
func sources(t testing.TB) (texts []string) {
	t.Helper()
	for _, dir := range []string{"../whole/testdata/passes", "../../../core/spirv/testdata", "../../../core/wire/testdata", "../../../core/text/testdata", "testdata"} {
		files, err := filepath.Glob(dir + "/*.jir")
		if err != nil || len(files) == 0 {
			t.Fatalf("no texts in %s: %v", dir, err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(b), "shader compute") && len(b) < 8<<10 {
				texts = append(texts, string(b))
			}
		}
	}
	return texts
}

// TestRefused: the validator refuses what the passes cannot copy, and names the function and the instruction.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ file, from, to, check string }{
		{"refused/copy_of_other_type.jir", "", "", "copy-type"}, // a struct to an element of an array
		{"copies.jir", "copy_deref %5, %4", "copy_deref %5, %2", "copy-type"},
		{"copies.jir", "copy_deref %8, %6", "copy_deref %3, %1", "copy-type"},
		{"copies.jir", "copy_deref %8, %6", "copy_deref %8, %4", "copy-wildcards"}, // any element to one
		{"copies.jir", "copy_deref %8, %6", "copy_deref %8, %7", "copy-type"},
	} {
		source, err := os.ReadFile("testdata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := text.Parse([]byte(strings.Replace(string(source), c.from, c.to, 1)))
		if err != nil {
			t.Errorf("%s: %v", c.to, err)
			continue
		}
		var e *validate.Error
		if err := validate.Shader(s); !errors.As(err, &e) || e.Check != c.check || e.Func != "main" || !strings.HasPrefix(e.Where, "copy_deref ") {
			t.Errorf("%s: gives %v, want %s", c.to, err, c.check)
		}
	}
}
