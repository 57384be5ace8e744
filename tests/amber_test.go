package tests

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/core/amber"
	"jacquard.example/core/amber/tools"
	"jacquard.example/tests/lavapipe"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/spv"
)

// TestScriptsOnLavapipe runs every script of amber/ on a driver that shares no
// code with this project: what the scripts expect is what their shaders
// compute.
func TestScriptsOnLavapipe(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	oracle.Need(t, "spirv-as")
	device := lavapipe.Need(t)
	var cache tools.Cache
	for _, file := range scripts(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			script := parseScript(t, file)
			report, err := script.Run(t.Context(), amber.EngineFunc(func(ctx context.Context, c *amber.Call) error {
				return dispatch(ctx, device, &cache, script, c)
			}))
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range report.Errors() {
				t.Error(err)
			}
			if len(report.Checks) == 0 {
				t.Error("the script expects nothing")
			}
		})
	}
}

// scripts lists the files of amber/.
func scripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("amber/*.amber")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts in amber/", err)
	}
	return files
}

func parseScript(t *testing.T, file string) *amber.Script {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	script, err := amber.Parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// dispatch runs one call of a script on lavapipe.
func dispatch(ctx context.Context, device *lavapipe.Device, cache *tools.Cache, script *amber.Script, c *amber.Call) error {
	module, err := cache.Shader(ctx, script.Name, c.Shader)
	if err != nil {
		return err
	}
	words, err := spv.Words(module)
	if err != nil {
		return err
	}
	d := lavapipe.Dispatch{Words: words, Entry: c.Entry, Groups: c.Groups, Push: c.PushConstants}
	for _, s := range c.Specialize {
		value := binary.LittleEndian.AppendUint64(nil, s.Bits)
		d.Specs = append(d.Specs, lavapipe.Spec{ID: s.ID, Value: value[:s.Size]})
	}
	kinds := [...]lavapipe.Kind{amber.Storage: lavapipe.Storage, amber.Uniform: lavapipe.Uniform}
	for _, b := range c.Bindings {
		d.Bindings = append(d.Bindings, lavapipe.Binding{Set: b.Set, Binding: b.Binding, Kind: kinds[b.Kind], Data: b.Data})
	}
	return device.Run(&d)
}
