// SPDX-License-Identifier: MIT

package tree

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// imageShape generates from the project's tables with a directory's files replacing its image intrinsics and without the
// rows that ban or select them. It builds a program with the output, and returns the program's output: the image
// intrinsics.
func imageShape(t *testing.T, folder string) string {
	t.Helper()
	project, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	defs, out, overlay := filepath.Join(dir, "defs"), filepath.Join(dir, "generated"), filepath.Join(dir, "overlay.json")
	if err := os.CopyFS(defs, os.DirFS(filepath.Join(project, "defs"))); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"legal", "select"} {
		if err := os.Remove(filepath.Join(defs, "intel", file, "images.toml")); err != nil {
			t.Fatal(err)
		}
	}
	withoutTexels(t, filepath.Join(defs, "ir", "atomics.toml"))
	from := filepath.Join("testdata", "images", folder)
	copyFile(t, filepath.Join(from, "image.toml"), filepath.Join(defs, "intrinsics", "image.toml"))
	if more := filepath.Join(from, "indices.toml"); exists(more) {
		copyFile(t, more, filepath.Join(defs, "ir", "image_indices.toml"))
	}
	program := filepath.Join(dir, "check")
	if err := os.Mkdir(program, 0o777); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(from, "..", "check.go.txt"), filepath.Join(program, "main.go"))
	copyFile(t, filepath.Join(from, "build.go.txt"), filepath.Join(program, "build.go"))
	copyFile(t, filepath.Join(from, "shader.jir"), filepath.Join(program, "shader.jir"))
	copyFile(t, filepath.Join(project, "go.sum"), filepath.Join(program, "go.sum"))
	appendTo(t, filepath.Join(program, "go.mod"),
		"module check.example\n\ngo 1.26.0\n\nrequire jacquard.example v0.0.0\n\nreplace jacquard.example => "+project+"\n")
	text, err := in(t.Context(), project, generator(t), "-alone", "-defs", defs, "-out", out, "-overlay", overlay).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err = in(t.Context(), program, "go", "run", "-overlay", overlay, ".", "shader.jir").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text)
}

// withoutTexels removes the intrinsics on texels from the rows of atomics; the tables of an earlier shape have different
// ones.
func withoutTexels(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, regexp.MustCompile(`(?m)^texels?\b.*\n`).ReplaceAll(text, nil), 0o666); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestI01FirstShape: tables of the form of 2015 give exactly its ten intrinsics:
// names, sources and their components, result, one image variable, no constant
// index, flags; and a package with which shaders of this form are built, read,
// checked, printed and serialized.
func TestI01FirstShape(t *testing.T) {
	const want = `
image_load(4,1) 4, 1 image, [], can_eliminate, deref
image_store(4,1,4) -, 1 image, [],, deref
image_atomic_add(4,1,1) 1, 1 image, [],, deref
image_atomic_min(4,1,1) 1, 1 image, [],, deref
image_atomic_max(4,1,1) 1, 1 image, [],, deref
image_atomic_and(4,1,1) 1, 1 image, [],, deref
image_atomic_or(4,1,1) 1, 1 image, [],, deref
image_atomic_xor(4,1,1) 1, 1 image, [],, deref
image_atomic_exchange(4,1,1) 1, 1 image, [],, deref
image_atomic_comp_swap(4,1,1,1) 1, 1 image, [],, deref
in the shader: 10
`
	if got := imageShape(t, "2015"); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
}

// TestI11TodaysShape: one row gives an intrinsic for derefs, one for indices and
// one for bindless handles, and the operation of an atomic is an index.
func TestI11TodaysShape(t *testing.T) {
	const want = `
image_deref_load(4,1,1) 0, 1 image, [image_dim image_array format access dest_type], can_eliminate, deref
image_load(4,1,1) 0, 1 image, [image_dim image_array format access range_base dest_type], can_eliminate, index
bindless_image_load(4,1,1) 0, 1 image, [image_dim image_array format access dest_type], can_eliminate, bindless
image_deref_store(4,1,0,1) -, 1 image, [image_dim image_array format access src_type],, deref
image_store(4,1,0,1) -, 1 image, [image_dim image_array format access range_base src_type],, index
bindless_image_store(4,1,0,1) -, 1 image, [image_dim image_array format access src_type],, bindless
image_deref_atomic(4,1,1) 1, 1 image, [image_dim image_array format access atomic_op],, deref
image_atomic(4,1,1) 1, 1 image, [image_dim image_array format access range_base atomic_op],, index
bindless_image_atomic(4,1,1) 1, 1 image, [image_dim image_array format access atomic_op],, bindless
image_deref_atomic_swap(4,1,1,1) 1, 1 image, [image_dim image_array format access atomic_op],, deref
image_atomic_swap(4,1,1,1) 1, 1 image, [image_dim image_array format access range_base atomic_op],, index
bindless_image_atomic_swap(4,1,1,1) 1, 1 image, [image_dim image_array format access atomic_op],, bindless
image_deref_size(1) 0, 1 image, [image_dim image_array format access], can_eliminate can_reorder, deref
image_size(1) 0, 1 image, [image_dim image_array format access range_base], can_eliminate can_reorder, index
bindless_image_size(1) 0, 1 image, [image_dim image_array format access], can_eliminate can_reorder, bindless
image_deref_samples() 1, 1 image, [image_dim image_array format access], can_eliminate can_reorder, deref
image_samples() 1, 1 image, [image_dim image_array format access range_base], can_eliminate can_reorder, index
bindless_image_samples() 1, 1 image, [image_dim image_array format access], can_eliminate can_reorder, bindless
in the shader: 18
`
	if got := imageShape(t, "2024"); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
}
