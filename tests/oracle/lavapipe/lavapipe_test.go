// SPDX-License-Identifier: MIT

package lavapipe

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"jacquard.example/tests/support/spv"
)

func load(t testing.TB, name string) []uint32 {
	t.Helper()
	file, err := os.ReadFile("../../shaders/" + name + ".comp.spv")
	if err != nil {
		t.Fatal(err)
	}
	words, err := spv.Words(file)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func floats(v ...float32) []byte {
	var b []byte
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

func saxpy(t testing.TB, n int) *Dispatch {
	x, y := make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = float32(i), float32(2*i+1)
	}
	return &Dispatch{
		Words:    load(t, "saxpy"),
		Push:     append(binary.LittleEndian.AppendUint32(nil, uint32(n)), floats(3)...),
		Groups:   [3]uint32{uint32(n+127) / 128, 1, 1},
		Bindings: []Binding{{Binding: 0, Data: floats(x...)}, {Binding: 1, Data: floats(y...)}},
	}
}

func TestSaxpy(t *testing.T) {
	d := Need(t)
	t.Log(d.Name())
	const n = 300
	c := saxpy(t, n)
	if err := d.Run(c); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		got := math.Float32frombits(binary.LittleEndian.Uint32(c.Bindings[1].Data[4*i:]))
		if want := float32(5*i + 1); got != want {
			t.Fatalf("y[%d] = %v, want %v", i, got, want)
		}
	}
}

func TestFeatures(t *testing.T) {
	d := Need(t)
	for _, f := range []string{"robustBufferAccess", "shaderInt8", "shaderInt16", "shaderInt64", "shaderFloat16", "shaderFloat64",
		"storageBuffer8BitAccess", "storageBuffer16BitAccess"} {
		if !d.Has(f) {
			t.Errorf("no %s", f)
		}
	}
}

// TestRefuse checks that dispatches that would crash the driver are rejected.
func TestRefuse(t *testing.T) {
	d := Need(t)
	for _, test := range []struct {
		want   string
		damage func(*Dispatch)
	}{
		{"not bound", func(c *Dispatch) { c.Bindings = c.Bindings[:1] }},
		{"given twice", func(c *Dispatch) { c.Bindings[1].Binding = 0 }},
		{"must have 1 to", func(c *Dispatch) { c.Bindings[1].Data = nil }},
		{"no SPIR-V header", func(c *Dispatch) { c.Words = nil }},
		{"has length", func(c *Dispatch) { c.Words = c.Words[:6] }},
		{`no entry point "other"`, func(c *Dispatch) { c.Entry = "other" }},
		{"push constants", func(c *Dispatch) { c.Push = c.Push[:7] }},
		{"workgroups", func(c *Dispatch) { c.Groups[2] = 1 << 16 }},
	} {
		c := saxpy(t, 8)
		test.damage(c)
		if err := d.Run(c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got error %v", test.want, err)
		}
	}
}

func BenchmarkSaxpy(b *testing.B) {
	d := Need(b)
	c := saxpy(b, 300)
	for b.Loop() {
		if err := d.Run(c); err != nil {
			b.Fatal(err)
		}
	}
}

// TestShared binds a range of memory twice: stores through one binding are visible through the other.
func TestShared(t *testing.T) {
	d := Need(t)
	c := saxpy(t, 64)
	c.Bindings[0].Data = c.Bindings[1].Data // y = 3*y + y
	if err := d.Run(c); err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		got := math.Float32frombits(binary.LittleEndian.Uint32(c.Bindings[0].Data[4*i:]))
		if want := float32(4 * (2*i + 1)); got != want {
			t.Fatalf("y[%d] = %v, want %v", i, got, want)
		}
	}
	// A part of the same memory, at an offset.
	c = saxpy(t, 64)
	both := append(c.Bindings[0].Data, c.Bindings[1].Data...)
	c.Bindings[0].Data, c.Bindings[1].Data = both[64*4:][:64*4:64*4], both
	c.Push = append(binary.LittleEndian.AppendUint32(nil, 64), floats(1)...)
	if err := d.Run(c); err != nil {
		t.Fatal(err)
	}
	for i := range 64 { // the first half is x + y
		got := math.Float32frombits(binary.LittleEndian.Uint32(both[4*i:]))
		if want := float32(3*i + 1); got != want {
			t.Fatalf("at %d: %v, want %v", i, got, want)
		}
	}
	c.Bindings[0].Data, c.Bindings[1].Data = both[:300], both[100:]
	if err := d.Run(c); err == nil || !strings.Contains(err.Error(), "overlaps") {
		t.Errorf("overlap: %v", err)
	}
}
