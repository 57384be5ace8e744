package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

// TestReadmeCommands runs every command that README shows under "On the command
// line", with saxpy as the shader.
func TestReadmeCommands(t *testing.T) {
	oracle.Need(t, "glslangValidator") // for the script's GLSL
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(readme), "### On the command line\n")
	block, _, _ = strings.Cut(block, "\n### ")

	dir := t.TempDir()
	command := filepath.Join(dir, "bin", "jacquard")
	if out, err := exec.Command("go", "build", "-o", command, "../../../cmd/jacquard").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	words, err := shaders.Module("saxpy")
	if err != nil {
		t.Fatal(err)
	}
	program, err := jacquard.Compile(t.Context(), spv.Bytes(words), jacquard.Options{SIMD: 8})
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../amber/saxpy.amber")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"shader.spv":        spv.Bytes(words),
		"folder/shader.spv": spv.Bytes(words),
		"shader.bin":        program.Variants[0].Code,
		"test.amber":        script,
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
	for line := range strings.Lines(block) {
		args, ok := strings.CutPrefix(line, "    jacquard ")
		if !ok {
			continue
		}
		args, _, _ = strings.Cut(args, "  ") // a comment follows
		c := exec.Command(command, strings.Fields(args)...)
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
