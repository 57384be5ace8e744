// SPDX-License-Identifier: MIT

package tree

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/command"
	"jacquard.example/tests/support/fozfile"
	"jacquard.example/tests/support/spv"
)

// shown returns the lines of README's indented blocks, which readers may type.
func shown(t *testing.T) (lines []string) {
	t.Helper()
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	fenced := false
	for line := range strings.Lines(string(readme)) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced // TestR03TablesAlone follows fenced blocks
		}
		if text, ok := strings.CutPrefix(line, "    "); ok && !fenced && !strings.HasPrefix(text, " ") {
			text, _, _ = strings.Cut(strings.TrimRight(text, "\n"), "  ") // a comment follows
			lines = append(lines, text)
		}
	}
	return lines
}

// TestReadmeCommands runs every "jacquard" command in README. Its shader.spv is the compute shader saxpy, or a shader with
// specialization constants if the command sets one; its other files are real inputs under the names that it uses.
func TestReadmeCommands(t *testing.T) {
	oracle.Need(t, "glslangValidator") // for the script's GLSL
	dir := t.TempDir()
	bin := command.Build(t)
	words, err := shaders.Module("saxpy")
	if err != nil {
		t.Fatal(err)
	}
	specialized, err := shaders.Module("spec_constants")
	if err != nil {
		t.Fatal(err)
	}
	program, err := jacquard.Compile(t.Context(), spv.Bytes(words), jacquard.Options{SIMD: 8})
	if err != nil {
		t.Fatal(err)
	}
	file := func(name string) []byte {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for name, data := range map[string][]byte{
		"shader.spv":        spv.Bytes(words),
		"changed.spv":       spv.Bytes(words),
		"folder/shader.spv": spv.Bytes(words),
		"specialized.spv":   spv.Bytes(specialized),
		"game.foz":          fozfile.File(fozfile.Compute()),
		"shader.bin":        program.Variants[0].Code,
		"test.amber":        file("amber/saxpy.amber"),
		"triangle.amber":    file("amber/graphics/triangle.amber"),
		"mvp.vert":          file("shaders/stages/mvp.vert"),
		"lit.frag":          file("shaders/stages/lit.frag"),
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for _, line := range shown(t) {
		args, ok := strings.CutPrefix(line, "jacquard ")
		if !ok {
			continue
		}
		if strings.Contains(args, "--specialize ") {
			args = strings.ReplaceAll(args, "shader.spv", "specialized.spv")
		}
		c := exec.Command(bin, strings.Fields(args)...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("jacquard %s: %v\n%s", args, err, out)
		}
		ran++
	}
	if ran < 5 {
		t.Errorf("README has only %d commands", ran)
	}
}

// bless writes the answer into README.
var bless = flag.Bool("bless", false, "write the output of the command that README shows")

// TestReadmeAnswer checks that the output in README is the output of the command above it.
func TestReadmeAnswer(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	const file, mark = "../../../README.md", "<!-- answer -->\n```\n$ jacquard "
	readme, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(readme), mark)
	block, tail, closed := strings.Cut(rest, "```\n")
	args, shown, _ := strings.Cut(block, "\n")
	if !ok || !closed {
		t.Fatalf("README has no block after %q", mark)
	}
	c := exec.Command(command.Build(t), strings.Fields(args)...)
	c.Dir = "../../.."
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(out) == shown {
		return
	}
	if !*bless {
		t.Fatalf("README shows\n%s\nbut jacquard %s writes\n%s", shown, args, out)
	}
	if err := os.WriteFile(file, []byte(head+mark+args+"\n"+string(out)+"```\n"+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeProducts: the table of targets has the products and stages of the tables.
func TestReadmeProducts(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range target.All {
		stages := []string{"compute"}
		if m.Vertex != nil {
			stages = append(stages, "vertex")
		}
		if m.Fragment != nil {
			stages = append(stages, "fragment")
		}
		var products []string
		for _, p := range m.Products { // without the generation
			name, _, _ := strings.Cut(p, " (")
			products = append(products, name)
		}
		row := fmt.Sprintf("| `%s` | %s | %s |\n", m.Name, strings.Join(products, ", "), strings.Join(stages, ", "))
		if !strings.Contains(string(readme), row) {
			t.Errorf("README lacks the row\n%s", row)
		}
	}
}

// TestReadmeLines checks the other lines of README. Targets of make exist; "go" commands, and the line of Go that
// compiles, run in a copy of the tree, with a directory of tables under the name that they use.
func TestReadmeLines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a copy of the project")
	}
	dir := copyTree(t)
	if err := os.CopyFS(filepath.Join(dir, "mine"), os.DirFS("testdata/user/tables")); err != nil {
		t.Fatal(err)
	}
	const shader = "tests/shaders/saxpy.comp.spv"
	if err := os.MkdirAll(filepath.Join(dir, "tests/shaders"), 0o777); err != nil {
		t.Fatal(err)
	}
	copyFile(t, "../../../"+shader, filepath.Join(dir, shader))
	run := func(dir, name string, args ...string) {
		t.Helper()
		if out, err := in(t.Context(), dir, name, args...).CombinedOutput(); err != nil {
			t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	kinds := map[string]int{}
	for _, line := range shown(t) {
		words := strings.Fields(line)
		kinds[words[0]]++
		switch words[0] {
		case "jacquard": // TestReadmeCommands
		case "make":
			run("../../..", "make", "--dry-run", words[1])
		case "go":
			run(dir, "go", words[1:]...)
		case "program,":
			appendTo(t, filepath.Join(dir, "library/main.go"), strings.Replace(libraryProgram, "LINE", line, 1))
			run(dir, "go", "run", "./library", shader)
		default:
			t.Errorf("nothing tries %q", line)
		}
	}
	if kinds["make"] < 10 || kinds["go"] < 3 || kinds["program,"] != 1 {
		t.Errorf("README shows %v", kinds)
	}
}

// libraryProgram uses the compiler as README describes.
const libraryProgram = `package main

import (
	"context"
	"log"
	"os"

	"jacquard.example"
	"jacquard.example/generated/gpu"
)

func main() {
	ctx := context.Background()
	module, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	LINE
	if err != nil || len(program.Variants) == 0 {
		log.Fatal("nothing is compiled: ", err)
	}
}
`

// link is a link of a page to a file.
var link = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)

// TestLinks: the links of the project's own pages are valid.
func TestLinks(t *testing.T) {
	pages := []string{"../../../README.md", "../../../ARCHITECTURE.md", "../../../CONTRIBUTING.md", "../../../SECURITY.md", "../../bench/README.md", "../../bench/ablation.md"}
	walks, err := filepath.Glob("../../../defs/docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, page := range append(pages, walks...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if links < 15 {
		t.Errorf("only %d links were found", links)
	}
}
