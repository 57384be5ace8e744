package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shape generates from the project's tables with the files of a folder in place
// of its image intrinsics, builds a program with what comes out, and returns
// what it prints: the image intrinsics there are.
func shape(t *testing.T, folder string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a copy of the project")
	}
	dir := copyTree(t)
	from := filepath.Join("testdata", "images", folder)
	copyFile(t, filepath.Join(from, "image.toml"), filepath.Join(dir, "defs", "intrinsics", "image.toml"))
	if more := filepath.Join(from, "indices.toml"); exists(more) {
		copyFile(t, more, filepath.Join(dir, "defs", "ir", "image_indices.toml"))
	}
	if err := os.Mkdir(filepath.Join(dir, "check"), 0o777); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(from, "..", "check.go.txt"), filepath.Join(dir, "check", "main.go"))
	copyFile(t, filepath.Join(from, "build.go.txt"), filepath.Join(dir, "check", "build.go"))
	copyFile(t, filepath.Join(from, "shader.jir"), filepath.Join(dir, "shader.jir"))
	for _, args := range [][]string{{"run", "./gen"}, {"run", "./check", "shader.jir"}} {
		out, err := in(t.Context(), dir, "go", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		if args[1] == "./check" {
			return strings.Split(strings.TrimSpace(string(out)), "\n")
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func lines(t *testing.T, got []string, want string) {
	t.Helper()
	if got, want := strings.Join(got, "\n"), strings.TrimSpace(want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestI01FirstShape: tables of the form of 2015 give exactly its ten intrinsics:
// names, sources and their components, result, one image variable, no constant
// index, flags; and a package with which shaders of this form are built, read,
// checked, printed and serialized.
func TestI01FirstShape(t *testing.T) {
	lines(t, shape(t, "2015"), `
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
`)
}

// TestI11TodaysShape: one row gives an intrinsic for derefs, one for indices and
// one for bindless handles, and the operation of an atomic is an index.
func TestI11TodaysShape(t *testing.T) {
	lines(t, shape(t, "2024"), `
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
`)
}
