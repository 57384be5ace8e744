// SPDX-License-Identifier: MIT

package corpus

import (
	"testing"

	"jacquard.example/backend/run/tools"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/synth"
)

// TestPicturesNoticeLevels: the comparison of pictures notices a level of detail that is off, by one and by a quarter, with
// nearly all shaders whose samples with derivatives depend on it.
func TestPicturesNoticeLevels(t *testing.T) {
	list := chosen(t, compiler(t), false)
	offsets := [...]float32{1, -1, 0.25, -0.25}
	var noticed [len(offsets)]int
	aimed := 0
	for i := range list {
		m := &list[i]
		if m.Invalid != "" {
			continue
		}
		for _, e := range modules.Entries(m.SPIRV) {
			d := levelsDraw(m, e)
			if d == nil {
				continue
			}
			usual, err := onInterp(t.Context(), d, way{})
			if err != nil {
				continue
			}
			if _, texels, err := aimLevels(t.Context(), d.Clone(), usual); err != nil || texels == 0 {
				continue
			}
			b, err := allowed(t.Context(), d)
			if err != nil {
				t.Fatalf("%s: %v", m.ID(), err)
			}
			aimed++
			for k, by := range offsets {
				x, err := shift(t.Context(), d, by)
				if err != nil {
					t.Fatalf("%s: %v", m.ID(), err)
				}
				if off(b, x) != "" {
					noticed[k]++
				} else {
					t.Logf("%s: a level that is off by %v is not noticed", m.ID(), by)
				}
			}
		}
	}
	t.Logf("of %d shaders, levels that are off by %v are noticed with %v", aimed, offsets, noticed)
	for k, n := range noticed {
		if n == 0 || 10*n < 9*aimed {
			t.Errorf("only %d of %d shaders notice a level that is off by %v", n, aimed, offsets[k])
		}
	}
}

// levelsDraw generates a draw with a shader, or returns nil if there is none in which derivatives choose levels.
func levelsDraw(m *modules.Module, e modules.EntryPoint) *synth.Draw {
	if modules.Models[e.Model] != "fragment" || m.Declares("PhysicalStorageBufferAddresses") {
		return nil
	}
	var d *synth.Draw
	err := guard(func() (err error) {
		d, err = synth.New(new(tools.Cache), m.SPIRV, stageOf["fragment"], e.Name,
			synth.Options{Width: pictureSize, Height: pictureSize, Rise: rise})
		return err
	})
	if err != nil || !d.Levels {
		return nil
	}
	return d
}
