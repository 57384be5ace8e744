// SPDX-License-Identifier: MIT

package spirv_test

import (
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
)

func TestShaders(t *testing.T) {
	files, err := filepath.Glob("../../tests/shaders/*.spv")
	if err != nil || len(files) == 0 {
		t.Fatal("no shaders", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s, err := spirv.Read(data, spirv.Options{Stage: kind.StageCompute})
			if err != nil {
				t.Fatal(err)
			}
			if testing.Verbose() {
				t.Logf("%s", text.Print(s))
			}
		})
	}
}
