// SPDX-License-Identifier: MIT

package textmutants

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"jacquard.example"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/scripts"
	"jacquard.example/tests/support/spv"
)

// widths are the widths that mutants are compiled for; 0 leaves the choice to the compiler.
var widths = []int{0, 8, 16, 32}

// TestTextMutants: a changed IR text is rejected by the parser or the validator, or compiling it with all checks yields
// machine code or an error that names the unsupported feature. TEXTS="100000 7" tries that many mutants with seed 7;
// mutants that fail are written to the directory KEEP.
func TestTextMutants(t *testing.T) {
	n, seed, most := 1500, uint64(1), 20
	if s := os.Getenv("TEXTS"); s != "" {
		fmt.Sscan(s, &n, &seed)
		most = 1000
	}
	texts := sources(t)
	count, bad := [crashed + 1]int{}, 0
	targets := jacquard.TargetsOf(jacquard.Compute)
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		source := Mutant(rng, texts[i%len(texts)])
		opts := jacquard.Options{Target: targets[rng.IntN(len(targets))], SIMD: widths[rng.IntN(len(widths))], Verify: rng.IntN(2) == 0}
		what, why := compiled(t, source, opts)
		count[what]++
		if what != crashed {
			continue
		}
		if bad++; bad <= most {
			t.Errorf("mutant %d/%d of %s, %d lanes, checked %v: %s", seed, i, opts.Target, opts.SIMD, opts.Verify, why)
			if dir := os.Getenv("KEEP"); dir != "" {
				os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d_%d.jir", seed, i)), []byte(source), 0o644)
			}
		}
	}
	t.Logf("of %d mutants %d are invalid, %d are refused later, %d are compiled", n, count[refused], count[unsupported], count[done])
	if count[done] < n/20 || count[refused] < n/20 {
		t.Error("the mutations are too wild or too tame")
	}
}

type outcome uint8

const (
	refused     outcome = iota // by the parser or the validator
	unsupported                // valid, but not compiled
	done
	crashed // a defect of the compiler
)

// compiled compiles a text.
func compiled(t testing.TB, source string, opts jacquard.Options) (what outcome, why string) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // the compiler may hang
	defer cancel()
	_, err := jacquard.Compile(ctx, []byte(source), opts)
	var internal *jacquard.InternalError
	switch {
	case err == nil:
		return done, ""
	case errors.As(err, &internal):
		return crashed, fmt.Sprintf("%v\n%s", err, internal.Stack)
	case ctx.Err() != nil:
		return crashed, "does not end"
	case valid([]byte(source)):
		return unsupported, ""
	}
	return refused, ""
}

// valid reports whether parser and validator accept a text.
func valid(source []byte) bool {
	s, err := text.Parse(source)
	return err == nil && validate.Shader(s) == nil
}

// textDirs are the directories of the test data that contain IR texts.
var textDirs = []string{
	"../whole/testdata/passes", "../selector/testdata", "../../../core/spirv/testdata", "../../../core/wire/testdata", "../../../core/text/testdata",
	"../../../backend/intel/filetests/testdata/select", "testdata",
}

// sources returns the IR texts among the test data, and the IR of small shaders after some of the passes.
func sources(t testing.TB) (list []string) {
	t.Helper()
	add := func(source []byte) {
		if len(source) < 8<<10 && valid(source) {
			list = append(list, comment.ReplaceAllString(string(source), ""))
		}
	}
	for _, dir := range textDirs {
		for _, f := range scripts.Files(t, dir+"/*.jir") {
			source, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			add(source)
		}
	}
	for i, x := range shaders.All() {
		words, err := shaders.Module(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(words) > 1200 {
			continue
		}
		steps := 0
		_, err = jacquard.Compile(t.Context(), spv.Bytes(words), jacquard.Options{Trace: func(step *jacquard.Step) {
			if steps++; step.SIMD == 0 && steps%16 == i%16 {
				add(step.Text())
			}
		}})
		if err != nil {
			t.Logf("%s: %v", x.Name, err)
		}
	}
	return list
}

// comment matches the comments that the printer adds.
var comment = regexp.MustCompile(`(?m) // .*$`)

// TestRefused: the validator refuses copies that the passes cannot handle, and names the function and the instruction.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ file, from, to, check string }{
		{"refused/copy_of_other_type.jir", "", "", "copy-type"}, // a struct to an element of an array
		{"copies.jir", "copy_deref %5, %4", "copy_deref %5, %2", "copy-type"},
		{"copies.jir", "copy_deref %8, %6", "copy_deref %3, %1", "copy-type"},
		{"copies.jir", "copy_deref %8, %6", "copy_deref %8, %4", "copy-wildcards"}, // all elements to a single one
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
		if err := validate.Shader(s); !errors.As(err, &e) || e.Check != c.check || e.Func != "main" ||
			!strings.HasPrefix(e.Where, "copy_deref ") {
			t.Errorf("%s: gives %v, want %s", c.to, err, c.check)
		}
	}
}
