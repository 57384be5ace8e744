// SPDX-License-Identifier: MIT

// Package renderer tests a real compute renderer: the piet shaders that the Gio user interface library compiles to
// SPIR-V and publishes as the Go module gioui.org/shader. The module is not a dependency of this project; the go
// command fetches it into its own cache when a test needs it.
//
// The renderer draws vector graphics in stages, each a compute shader that reads the results of earlier ones from a
// shared memory (see layout.go):
//
//	elements     transforms and bounds of paths: a scan with decoupled look-back
//	tile_alloc   gives each path an array of 32 x 32 pixel tiles
//	path_coarse  flattens curves and puts their segments into the tiles
//	backdrop     carries winding numbers along the rows of tiles
//	binning      sorts paths into bins of 16 x 8 tiles
//	coarse       writes a list of drawing commands for each tile
//	kernel4      executes the commands; it needs storage images
//
// [Inputs] returns an input for each but the last.
package renderer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/tests/support/spv"
)

// Version is the module and the version that the tests use.
const Version = "gioui.org/shader@v1.0.8"

// ErrFetch reports that the go command could not fetch the module.
var ErrFetch = errors.New("cannot fetch " + Version)

// Fetch returns the folder with the module, downloading it at first.
func Fetch() (dir string, err error) {
	// A separate module keeps the download out of our go.mod and go.sum; the checksum database still verifies the
	// contents.
	temp, err := os.MkdirTemp("", "gioui")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	if err := os.WriteFile(filepath.Join(temp, "go.mod"), []byte("module temp\n"), 0o644); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "mod", "download", "-json", Version)
	cmd.Dir = temp
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run()
	var module struct{ Dir, Error string }
	if err := json.Unmarshal(stdout.Bytes(), &module); err != nil || module.Dir == "" || runErr != nil {
		return "", fmt.Errorf("%w: %s%s (%v)", ErrFetch, module.Error, stderr.String(), runErr)
	}
	return module.Dir, nil
}

// Need returns the folder with the module. Where it cannot be fetched the
// test is skipped, or failed when CI=true.
func Need(t testing.TB) string {
	t.Helper()
	dir, err := Fetch()
	switch {
	case err == nil:
	case errors.Is(err, ErrFetch) && os.Getenv("CI") != "true":
		t.Skipf("the Go module %s is not cached and cannot be fetched", Version)
	default:
		t.Fatal(err)
	}
	return dir
}

// Modules lists the compute modules below the folder of [Fetch], by stage
// name: "backdrop", "binning", …
func Modules(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "piet", "z*.comp.0.spirv"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no piet shaders in %s (%v)", dir, err)
	}
	modules := map[string]string{}
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "z"), ".comp.0.spirv")
		modules[name] = f
	}
	return modules, nil
}

// AllModules lists every SPIR-V module of the Go module: 7 compute, 7 vertex
// and 11 fragment shaders.
func AllModules(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "z*.spirv"))
	slices.Sort(files)
	return files, err
}

// Load reads a module.
func Load(file string) ([]uint32, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return spv.Words(content)
}
