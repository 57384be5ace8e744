// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/wire"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

// roundTrips returns an error if a round trip of a shader through its text or its binary form loses anything.
func roundTrips(s *ir.Shader) error {
	out := text.Print(s)
	back, err := text.Parse(out)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if again := text.Print(back); !bytes.Equal(out, again) {
		return errors.New("text changes when it is read and printed again")
	}
	file := wire.Marshal(s)
	if back, err = wire.Unmarshal(file); err != nil {
		return fmt.Errorf("binary form: %w", err)
	}
	if again := text.Print(back); !bytes.Equal(out, again) {
		return errors.New("text changes when the shader goes through its binary form")
	}
	if again := wire.Marshal(back); !bytes.Equal(file, again) {
		return errors.New("the binary form changes when it is read and written again")
	}
	return nil
}

// TestD12FormsOfModules: the reader's IR of every test shader, including deref chains, survives a round trip through
// text and binary form. The same is checked after every pass where the scripts run on the lowered IR.
func TestD12FormsOfModules(t *testing.T) {
	for _, x := range shaders.All() {
		words, err := shaders.Module(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := spirv.Read(spv.Bytes(words), spirv.Options{Stage: kind.StageCompute})
		if err != nil {
			t.Errorf("%s: %v", x.Name, err)
			continue
		}
		if err := roundTrips(s); err != nil {
			t.Errorf("%s: %v", x.Name, err)
		}
	}
}

// TestCompileBinaryForm: a shader in binary form is compiled like its text, and
// a damaged one is rejected with the position of the damage.
func TestCompileBinaryForm(t *testing.T) {
	words, err := shaders.Module("bitonic")
	if err != nil {
		t.Fatal(err)
	}
	s, err := spirv.Read(spv.Bytes(words), spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	file := wire.Marshal(s)
	for _, simd := range []int{8, 16} {
		want, err := jacquard.Compile(t.Context(), text.Print(s), jacquard.Options{SIMD: simd})
		if err != nil {
			t.Fatal(err)
		}
		got, err := jacquard.Compile(t.Context(), file, jacquard.Options{SIMD: simd})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want.Variants[0].Code, got.Variants[0].Code) {
			t.Errorf("SIMD%d: the binary form gives other machine code than the text", simd)
		}
	}
	file[len(file)-1] ^= 1
	var e *jacquard.Error
	if _, err := jacquard.Compile(t.Context(), file, jacquard.Options{File: "x.jirb"}); !errors.As(err, &e) ||
		!strings.HasPrefix(err.Error(), "x.jirb: error: byte 5: the file is damaged") {
		t.Errorf("a damaged file: %v", err)
	}
}
