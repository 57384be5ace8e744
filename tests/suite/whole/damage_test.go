// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/shaders"
)

// format is a kind of input that may be damaged.
type format struct {
	name string
	// of returns a test shader in the format, or nil if the shader has no such form.
	of func(t *testing.T, name string) []byte
	// read reads it. Nothing may panic, and errors have a position.
	read func(data []byte) error
	// cut reports that no truncated input may be accepted, flipped that no input with a flipped bit may.
	cut, flipped bool
}

var formats = []format{
	{"SPIR-V", func(t *testing.T, name string) []byte { return shaderModule(t, name) }, readModule, true, false},
	{"text", func(t *testing.T, name string) []byte { return text.Print(shaderIR(t, name)) }, readText, false, false},
	{"binary", func(t *testing.T, name string) []byte { return wire.Marshal(shaderIR(t, name)) }, readBinary, true, true},
	{"machine code", machineCode, readCode, false, false},
	{"assembly", assembly, readAssembly, false, false},
	{"AmberScript", script, readScript, false, false},
}

func shaderIR(t *testing.T, name string) *ir.Shader {
	s, err := spirv.Read(shaderModule(t, name), spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func machineCode(t *testing.T, name string) []byte {
	p, err := jacquard.Compile(t.Context(), shaderModule(t, name), jacquard.Options{SIMD: 8})
	if err != nil {
		return nil // tested by TestMachineCode
	}
	return p.Variants[0].Code
}

func assembly(t *testing.T, name string) []byte {
	code := machineCode(t, name)
	if code == nil {
		return nil
	}
	var b strings.Builder
	if err := isatext.Disassemble(isa.TGL, code, &b); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

func script(t *testing.T, name string) []byte {
	data, err := os.ReadFile(filepath.Join("../../amber", name+".amber"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readModule(data []byte) error {
	_, err := jacquard.Compile(context.Background(), data, jacquard.Options{SIMD: 8, File: "x.spv"})
	var e *jacquard.Error
	if err != nil && !errors.As(err, &e) {
		return misplaced(err)
	}
	return err
}

func readText(data []byte) error {
	s, err := text.Parse(data)
	var e *text.Error
	switch {
	case err == nil:
		_ = validate.Shader(s) // must not panic
	case !errors.As(err, &e) || e.Line < 1 || e.Col < 1:
		return misplaced(err)
	}
	return err
}

func readBinary(data []byte) error {
	_, err := wire.Unmarshal(data)
	var e *wire.Error
	if err != nil && !errors.As(err, &e) {
		return misplaced(err)
	}
	return err
}

func readCode(data []byte) error {
	var b strings.Builder
	return isatext.Disassemble(isa.TGL, data, &b)
}

func readAssembly(data []byte) error {
	_, err := isatext.Assemble(isa.TGL, string(data))
	var e *isatext.Error
	if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Col < 1) {
		return misplaced(err)
	}
	return err
}

func readScript(data []byte) error {
	_, err := amber.Parse("x.amber", data)
	var e *runner.Error
	if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Col < 1) {
		return misplaced(err)
	}
	return err
}

// misplaced marks an error without a position.
func misplaced(err error) error { return fmt.Errorf("%w: %w", errMisplaced, err) }

var errMisplaced = errors.New("an error without a place")

// TestDamagedInput truncates every test shader in every format and flips bits of it:
// nothing panics, and errors have a position.
func TestDamagedInput(t *testing.T) {
	const tries = 12 // tries for each kind, in each shader
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, uint64(len(f.name))))
			refused := 0
			for _, src := range shaders.All() {
				whole := f.of(t, src.Name)
				if len(whole) == 0 {
					continue
				}
				if err := f.read(whole); err != nil && uncompiled[src.Name] == "" {
					t.Fatalf("%s, not damaged: %v", src.Name, err)
				}
				for i := range 2 * tries {
					damaged, what := whole[:rng.IntN(len(whole))], "cut"
					if i >= tries {
						damaged, what = slices.Clone(whole), "flipped"
						damaged[rng.IntN(len(damaged))] ^= 1 << rng.IntN(8)
					}
					err := tryRead(f.read, damaged)
					if err != nil {
						refused++
					} else if what == "cut" && f.cut || what == "flipped" && f.flipped {
						t.Errorf("%s, %s to %d of %d bytes, is accepted", src.Name, what, len(damaged), len(whole))
					}
					if errors.Is(err, errMisplaced) {
						t.Errorf("%s, %s: %v", src.Name, what, err)
					}
				}
			}
			if refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// tryRead turns a panic into an error that no reader may return.
func tryRead(read func([]byte) error, data []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v", errMisplaced, p)
		}
	}()
	return read(data)
}
