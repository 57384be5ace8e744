// SPDX-License-Identifier: MIT

package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/command"
	"jacquard.example/tests/support/fozfile"
)

// exampleFiles are the files that the examples of the help texts name, from the root of the project. Examples create
// other files.
var exampleFiles = map[string]string{
	"shader.spv": "tests/shaders/saxpy.comp.spv", "shader.comp": "tests/shaders/matmul.comp", "x.comp": "tests/shaders/saxpy.comp",
	"saxpy.comp": "tests/shaders/saxpy.comp", "before.comp": "tests/shaders/saxpy.comp", "after.comp": "tests/shaders/bitonic.comp",
	"lit.vert": "testdata/example/lit.vert", "lit.frag": "testdata/example/lit.frag",
	"a.frag": "testdata/example/lit.frag", "b.frag": "testdata/example/lit.frag", "shaders/a.spv": "tests/shaders/saxpy.comp.spv",
	"shaders/b.frag": "testdata/example/lit.frag", "saxpy.amber": "tests/amber/saxpy.amber", "unknown.amber": "tests/amber/saxpy.amber",
	"tests/amber/saxpy.amber": "tests/amber/saxpy.amber", "triangle.amber": "tests/amber/graphics/triangle.amber",
}

// madeFirst lists commands that create the input of examples.
var madeFirst = []string{
	"jacquard compile shader.spv --emit ir -o shader.jir", "jacquard compile shader.spv --emit bin -o shader.bin",
	"jacquard compile shader.spv -o shader.asm", "jacquard stats shaders --json old.json", "jacquard stats shaders --json new.json",
	"mkdir results", "jacquard stats shaders --shard 1/2 --json results/1.json", "jacquard stats shaders --shard 2/2 --json results/2.json",
	"jacquard compile shader.spv --simd 16 --emit mir --stop-after legalize -o shader.mir",
}

// A rule for 'rules prove'.
const exampleRules = `[rule.mine]
doc     = "Two bits that are the same."
find    = "(iand (ior (ixor a b) a) (ior (ixor a b) a))"
replace = "(ior a b)"
`

// TestHelpExamples runs the examples of all help texts, each a line of a shell, and checks that they exit with status 0
// and write something.
func TestHelpExamples(t *testing.T) {
	for _, tool := range []string{"glslangValidator", "z3"} {
		oracle.Need(t, tool)
	}
	bin := command.Build(t)
	dir := t.TempDir()
	for to, from := range exampleFiles {
		data, err := os.ReadFile(filepath.Join("../../..", from))
		if err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.toml"), []byte(exampleRules), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(line string) (stdout, stderr string, err error) {
		cmd := exec.Command("bash", "-o", "pipefail", "-c", line)
		cmd.Dir = dir
		if strings.HasPrefix(line, "jacquard rules prove ") { // it runs inside a clone
			cmd.Dir, cmd.Args[4] = "../../..", strings.Replace(line, "mine.toml", filepath.Join(dir, "mine.toml"), 1)
		}
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"))
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		err = cmd.Run()
		return out.String(), errs.String(), err
	}
	for _, line := range madeFirst {
		if _, said, err := run(line); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, said)
		}
	}
	help, _, err := run("jacquard help")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "game.foz"), fozfile.File(fozfile.Compute()), 0o666); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, name := range slices.Concat(subcommands(help), []string{"limits"}) {
		text, _, err := run("jacquard help " + name)
		if err != nil {
			t.Fatal(name, err)
		}
		list := examples(text)
		if len(list) == 0 && name != "limits" {
			t.Errorf("help %s has no example", name)
		}
		for _, line := range list {
			total++
			before := contents(t, dir)
			out, said, err := run(line)
			quiet := strings.HasPrefix(line, "jacquard check") // it finds nothing to report
			if err != nil || out == "" && before == contents(t, dir) && !quiet {
				t.Errorf("help %s: %s: %v, %d bytes of output\n%s", name, line, err, len(out), said)
			}
		}
	}
	if total < 40 {
		t.Errorf("only %d examples", total)
	}
}

// contents lists the files of a folder with the times of their last changes.
func contents(t *testing.T, dir string) string {
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range list {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, f.Name(), info.ModTime())
	}
	return b.String()
}

// subcommands returns the names that 'jacquard help' lists.
func subcommands(help string) (names []string) {
	for line := range strings.Lines(help) {
		if f := strings.Fields(line); strings.HasPrefix(line, "  ") && len(f) > 1 {
			names = append(names, f[0])
		}
	}
	return names
}

// examples returns the commands below "Examples:" of a help text.
func examples(text string) (lines []string) {
	in := false
	for line := range strings.Lines(text) {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "Example:" || trimmed == "Examples:":
			in = true
		case !strings.HasPrefix(line, "  ") && trimmed != "":
			in = false
		case in && trimmed != "":
			lines = append(lines, trimmed)
		}
	}
	return lines
}
