// Package filetests contains tests of the back end's passes as text: the input of a pass
// and, in comments at the end, its output.
//
// testdata/PASS/NAME.mir is machine IR that the pass runs on; testdata/select/NAME.jir a
// shader after the passes of the IR, which is selected at the width in a comment (// simd
// 16, // target icl simd 16). The expected output is the new lines of the header and of
// the registers, and the code; after encode it is assembly.
//
//	go test ./backend/intel/filetests -bless
//
// rewrites the expected output, which must be reviewed before it is committed.
package filetests

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/target"
)

var bless = flag.Bool("bless", false, "write what is expected anew")

// becomes separates the input of a pass from its output.
const becomes = "// becomes\n"

func TestFiles(t *testing.T) {
	for _, p := range intel.Passes() {
		files, _ := filepath.Glob(filepath.Join("testdata", p.Name, "*"))
		if len(files) == 0 {
			t.Errorf("pass %s has no file", p.Name)
		}
		t.Run(p.Name, func(t *testing.T) {
			for _, file := range files {
				t.Run(filepath.Base(file), func(t *testing.T) { check(t, file, p.Name) })
			}
		})
	}
	dirs, _ := filepath.Glob("testdata/*")
	for _, d := range dirs {
		if !slices.ContainsFunc(intel.Passes(), func(p intel.Pass) bool { return p.Name == filepath.Base(d) }) {
			t.Errorf("%s: there is no such pass", d)
		}
	}
}

// check runs a pass on a file and compares, or blesses, its output.
func check(t *testing.T, file, pass string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	given, want, _ := strings.Cut(string(data), becomes)
	var made string
	if filepath.Ext(file) == ".jir" {
		made, err = selected([]byte(given))
	} else {
		made, err = run([]byte(given), pass)
	}
	if err != nil {
		t.Fatal(err)
	}
	if *bless {
		if err := os.WriteFile(file, []byte(given+becomes+comment(made)), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := comment(made); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// comment turns lines into comments.
func comment(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString("// " + line)
	}
	return b.String()
}

// run runs a pass over machine IR.
func run(given []byte, pass string) (string, error) {
	var machine *target.Target
	u, err := mirtext.Parse(given, func(u *mir.Unit) error {
		machine, _ = target.ByName(u.Target)
		return intel.CheckUnit(u, machine)
	})
	if err != nil {
		return "", err
	}
	before := declared(mirtext.Print(u))
	code, err := new(intel.Compiler).RunPass(u, pass, intel.Options{Target: machine, Verify: true})
	if err != nil {
		return "", err
	}
	if code != nil {
		var b strings.Builder
		err := isatext.Disassemble(machine.Platform, code, &b)
		return b.String(), err
	}
	return differing(mirtext.Print(u), before), nil
}

var width = regexp.MustCompile(`(?m)^// (?:target ([a-z]+) )?simd ([0-9]+)$`)

// selected returns the machine IR that a shader is selected to.
func selected(given []byte) (string, error) {
	m := width.FindSubmatch(given)
	if m == nil {
		return "", fmt.Errorf("no comment says the width")
	}
	machine := target.All[0]
	if len(m[1]) > 0 {
		machine, _ = target.ByName(string(m[1]))
	}
	simd, _ := strconv.Atoi(string(m[2]))
	s, err := text.Parse(given)
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		return "", err
	}
	var out []byte
	_, err = intel.Compile(s, intel.Options{
		Target: machine, SIMD: simd, Buffers: 2, Verify: true, StopAfter: intel.Passes()[0].Name,
		Trace: func(_ string, u *mir.Unit, _ time.Duration) { out = mirtext.Print(u) },
	})
	return differing(out, nil), err
}

// declared returns the lines before the code.
func declared(text []byte) []string {
	head, _, _ := bytes.Cut(text, []byte("function "))
	return strings.Split(string(head), "\n")
}

// differing returns the new lines of the header and of registers, except for the name of
// the pass, and the code.
func differing(text []byte, before []string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "function "):
			code = true
		case code || !strings.HasPrefix(line, "after ") && !slices.Contains(before, strings.TrimSuffix(line, "\n")):
			b.WriteString(line)
		}
	}
	return b.String()
}
