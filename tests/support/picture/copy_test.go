// SPDX-License-Identifier: MIT

package picture

import (
	"testing"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// TestCopy: a store to a copy's data or image does not change the original.
func TestCopy(t *testing.T) {
	f, err := texture.Named("R32_UINT")
	if err != nil {
		t.Fatal(err)
	}
	image := texture.NewImage(kind.Dim2D, f, 2, 2, 1, 1, 1, 2)
	data := make([]byte, 20)
	image = Overlay(image, data)
	attachment := func() draw.Attachment { return draw.Attachment{Format: f, Width: 1, Height: 1, Data: make([]byte, 4)} }
	resolve := attachment()
	c := &runner.DrawCall{State: draw.State{Colors: []draw.Color{{Attachment: attachment(), Resolve: &resolve}},
		Depth: draw.Depth{Attachment: attachment()}}}
	c.Bindings = []runner.Binding{{Kind: runner.StorageImage, Texture: image, Data: data}, {Kind: runner.SamplerAlone}}
	d := Copy(c)
	d.Bindings[0].Texture.Bytes(1, 0, 0, 0, 0, 0)[0] = 7
	if got := d.Bindings[0].Data[16]; got != 7 {
		t.Errorf("the copy's data has %d after the first level, want the number that was stored to its image", got)
	}
	e := CopyDispatch(&runner.Call{Bindings: c.Bindings})
	e.Bindings[0].Texture.Bytes(1, 0, 0, 0, 0, 0)[0] = 9
	if got := e.Bindings[0].Data[16]; got != 9 || data[16] != 0 {
		t.Errorf("the dispatch's copy has %d after the first level, the original %d", got, data[16])
	}
	for _, p := range [][]byte{d.State.Colors[0].Data, d.State.Colors[0].Resolve.Data, d.State.Depth.Attachment.Data} {
		p[0] = 7
	}
	for i, p := range [][]byte{data[16:], image.Levels[1].Data, c.State.Colors[0].Data, resolve.Data, c.State.Depth.Attachment.Data} {
		if p[0] != 0 {
			t.Errorf("memory %d of the original has changed", i)
		}
	}
}
