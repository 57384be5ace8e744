// SPDX-License-Identifier: MIT

package outline_test

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"

	"jacquard.example/core/outline"
	spirvmodule "jacquard.example/core/spirv/module"
)

// TestDamagedModules: a module in which one word has been changed yields an outline, or an error of the reader with a word of
// the module.
func TestDamagedModules(t *testing.T) {
	for _, file := range []string{"testdata/stages.spv", "../../cmd/jacquard/modinfo/testdata/kinds.spv"} {
		module, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := outline.Read(t.Context(), module); err != nil {
			t.Fatal(err)
		}
		refused := 0
		for at := 0; at < len(module); at += 4 {
			was := binary.LittleEndian.Uint32(module[at:])
			for _, value := range []uint32{0, 1, was + 1, was ^ 0x10000, 0xffff, ^uint32(0)} {
				damaged := slices.Clone(module)
				binary.LittleEndian.PutUint32(damaged[at:], value)
				m, err := outline.Read(t.Context(), damaged)
				if err == nil {
					for _, b := range m.Push {
						for i := range b.Members {
							_ = b.Members[i].Type()
						}
					}
					continue
				}
				refused++
				var e *spirvmodule.Error
				if m != nil || !errors.As(err, &e) || e.Word > len(module)/4 {
					t.Fatalf("%s, word %d is %#x: %v, %v", file, at/4, value, m, err)
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing is refused", file)
		}
	}
}
