// SPDX-License-Identifier: MIT

package graphics_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/synth"
)

// vec4Dir has vertex shaders, and next to each its machine code for Haswell by Mesa's driver.
const vec4Dir = "../testdata/vec4"

const vec4Head = `# Machine code of %[1]s.vert, made by
#   FROZEN=update JACQUARD_PEER="../shared/peers/run.sh bpo" go test ./backend/intel/eu/graphics -run TestDriverVertices
# with the command
#   INTEL_DEBUG=vs,nocompact INTEL_SHADER_BIN_DUMP_PATH=DIR ../shared/peers/run.sh bpo hsw vkpeer -n 1 -d DIR -e main %[1]s.vert.spv
`

// TestDriverVertices runs the machine code of another compiler for vertex shaders on two vertices at a time, and compares
// every component of their outputs with the interpreter. Together the shaders need most of what vertex threads have.
func TestDriverVertices(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vec4Dir, "*.vert"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d shaders in %s (%v)", len(files), vec4Dir, err)
	}
	cache := new(tools.Cache)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".vert")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			module, err := cache.Shader(t.Context(), file, &runner.Shader{Name: name, Format: runner.GLSL, Source: string(source),
				Stage: kind.StageVertex, TargetEnv: "spv1.0"})
			if err != nil {
				t.Fatal(err)
			}
			text := vec4Text(t, name, module)
			b, err := peer.Read(text, module)
			if err != nil {
				t.Fatal(err)
			}
			var cost eu.Account
			for number := range uint64(3) {
				d, err := synth.New(cache, module, kind.StageVertex, "main", synth.Options{Width: 16, Height: 16, Number: number})
				if err != nil {
					t.Fatal(err)
				}
				d.Fragment = runner.Stage{} // only the vertices count
				d.State.Colors = nil
				d.Draw.Count -= 3 // 51 vertices: the last thread has only one
				d.Draw.Instances, d.Draw.FirstInstance = 3, 2
				v := &peer.Vertices{Binary: b, Compiler: &peer.Compiler{Machine: target.HSW}, Module: d.Module, StepLimit: 1 << 16,
					Observe: func(_ *peer.Binary, p *graphics.Program) { cost.Add(p.Options.Account) }}
				if err := v.Draw(t.Context(), &d.DrawCall); err != nil {
					t.Fatal(err)
				}
				if v.Compared == 0 {
					t.Error("no output is compared")
				}
			}
			if cost.Alone.Cycles() == 0 || cost.Instructions < cost.Threads*uint64(min(b.Stats.Instructions, 8)) {
				t.Errorf("%d instructions of %d threads take %d cycles", cost.Instructions, cost.Threads, cost.Alone.Cycles())
			}
		})
	}
}

// vec4Text returns the stored machine code of a shader. With FROZEN=update and a peer it is made anew.
func vec4Text(t *testing.T, name string, module []byte) []byte {
	t.Helper()
	file := filepath.Join(vec4Dir, name+".txt")
	if c := peer.Find(target.HSW); c != nil && os.Getenv("FROZEN") == "update" {
		b, err := c.Compile(context.Background(), &peer.Shader{Module: module, Entry: "main", Stage: kind.StageVertex})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		fmt.Fprintf(&out, vec4Head, name)
		out.Write(b.Text())
		if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
