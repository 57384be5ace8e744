package draw

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/cmd/jacquard/amber/tools"
	"jacquard.example/cmd/jacquard/engine"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/scripts"
)

// modules translates the shaders of all tests.
var modules tools.Cache

// moduleOf returns the module of a shader.
func moduleOf(file string) engine.Module {
	return func(ctx context.Context, s *amber.Shader) ([]byte, error) { return modules.Shader(ctx, file, s) }
}

// onInterp returns the interpreter for a script.
func onInterp(file string) *engine.Interp { return &engine.Interp{Module: moduleOf(file)} }

// onLavapipe returns lavapipe for a script.
func onLavapipe(t *testing.T, file string) *lavapipe.Engine {
	module := moduleOf(file)
	return &lavapipe.Engine{Device: lavapipe.Need(t), Module: func(s *amber.Shader) ([]uint32, error) {
		b, err := module(t.Context(), s)
		words := make([]uint32, len(b)/4)
		for i := range words {
			words[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
		return words, err
	}}
}

// both runs each draw on two engines and compares what they leave in attachments and bindings. The
// script goes on with the second's.
type both struct {
	t interface {
		Errorf(format string, args ...any)
	}
	first, second amber.Drawer
	covered       int // pixels that a draw changed
	draws         int

	step  float64 // by which normalized components may differ in any case
	share float64 // of the texels that may differ by more
}

func (e *both) Dispatch(ctx context.Context, c *amber.Call) error { return e.second.Dispatch(ctx, c) }

// copyOf returns a draw with memory of its own.
func copyOf(c *amber.DrawCall) *amber.DrawCall {
	d := *c
	d.Bindings = append([]amber.Binding(nil), c.Bindings...)
	for i := range d.Bindings {
		d.Bindings[i].Data = bytes.Clone(d.Bindings[i].Data)
	}
	d.State.Colors = append([]draw.Color(nil), c.State.Colors...)
	for i := range d.State.Colors {
		k := &d.State.Colors[i]
		k.Data = bytes.Clone(k.Data)
		if k.Resolve != nil {
			r := *k.Resolve
			r.Data = bytes.Clone(r.Data)
			k.Resolve = &r
		}
	}
	d.State.Depth.Attachment.Data = bytes.Clone(d.State.Depth.Attachment.Data)
	return &d
}

// Draw implements amber.Drawer.
func (e *both) Draw(ctx context.Context, c *amber.DrawCall) error {
	e.draws++
	before, other := copyOf(c), copyOf(c)
	if err := e.first.Draw(ctx, other); err != nil {
		return err
	}
	if err := e.second.Draw(ctx, c); err != nil {
		return err
	}
	for i := range c.State.Colors {
		old, a, b := &before.State.Colors[i], &other.State.Colors[i], &c.State.Colors[i]
		if b.Resolve != nil {
			e.covered += differ(old.Resolve, b.Resolve)
			e.compare(fmt.Sprintf("color %d, resolved", i), a.Resolve, b.Resolve)
		}
		e.covered += differ(&old.Attachment, &b.Attachment)
		e.compare(fmt.Sprintf("color %d", i), &a.Attachment, &b.Attachment)
	}
	e.compare("depth", &other.State.Depth.Attachment, &c.State.Depth.Attachment)
	for i := range c.Bindings {
		if a, b := other.Bindings[i].Data, c.Bindings[i].Data; c.Bindings[i].Kind.Writes() && !bytes.Equal(a, b) {
			e.t.Errorf("set %d binding %d: %x, want %x", c.Bindings[i].Set, c.Bindings[i].Binding, a, b)
		}
	}
	return nil
}

// differ counts the texels that differ.
func differ(a, b *draw.Attachment) int {
	n := 0
	for y := range a.Height {
		for x := range a.Width {
			if a.Texel(x, y) != b.Texel(x, y) {
				n++
			}
		}
	}
	return n
}

// compare compares two attachments. Samples cannot be read from the driver: the interpreter's are
// what the script goes on with.
func (e *both) compare(what string, a, b *draw.Attachment) {
	if a.Format == nil {
		return
	}
	if a.Samples > 1 {
		copy(b.Data, a.Data)
		return
	}
	bad := 0
	if draw.HasStencil(a.Format) {
		last := a.Format.Bytes - 1
		for i := last; i < len(a.Data); i += a.Format.Bytes {
			if a.Data[i] != b.Data[i] {
				if bad++; bad <= 3 {
					at := i / a.Format.Bytes
					e.t.Errorf("draw %d, %s, stencil value of %d %d: %d, want %d", e.draws, what, at%a.Width, at/a.Width, a.Data[i], b.Data[i])
				}
			}
		}
	}
	first := ""
	for y := range a.Height {
		for x := range a.Width {
			s, t := a.Texel(x, y), b.Texel(x, y)
			if !close(a.Format, &s, &t) && !within(&s, &t, e.step) {
				if bad++; bad <= 3 {
					first += fmt.Sprintf("\ntexel %d %d: %s, want %s", x, y, show(a.Format, &s), show(a.Format, &t))
				}
			}
		}
	}
	if float64(bad) > e.share*float64(a.Width*a.Height) {
		e.t.Errorf("draw %d, %s: %d of %d texels differ%s", e.draws, what, bad, a.Width*a.Height, first)
	}
}

func show(f *texture.Format, t *texture.Texel) string {
	if f.Base != kind.BaseFloat {
		return fmt.Sprint(*t)
	}
	return fmt.Sprint(t.Float(0), t.Float(1), t.Float(2), t.Float(3))
}

// close reports whether two texels are equal up to rounding: a step of a component of up to 16 bits
// that is no float, or of 8 linear bits if it is sRGB, whose steps are as small as 1/13 of that near 0
// while drivers blend with less; 1/100 of a float of as many; of a longer one 1/10000 of the texel's
// largest component, from which it may have been computed by cancellation; nothing of an integer.
func close(f *texture.Format, a, b *texture.Texel) bool {
	if f.Base != kind.BaseFloat {
		return *a == *b
	}
	var one, other [32]byte
	f.Encode(one[:], a)
	f.Encode(other[:], b)
	largest := 1e-2
	for c := range a {
		x, y := math.Abs(float64(a.Float(c))), math.Abs(float64(b.Float(c)))
		if f.Component(c) != nil && x+y <= math.MaxFloat32 {
			largest = max(largest, x, y)
		}
	}
	for c := range a {
		k := f.Component(c)
		if k != nil && k.Bits == 8 && k.Shift%8 == 0 && k.Numeric != texture.SFloat {
			x, y := one[k.Shift/8], other[k.Shift/8]
			linear := k.Numeric == texture.SRGB && math.Abs(float64(a.Float(c))-float64(b.Float(c))) <= 1.0/255
			if d := int(int8(x - y)); (d < -1 || d > 1) && !linear {
				return false
			}
			continue
		}
		x, y := float64(a.Float(c)), float64(b.Float(c))
		limit := 1e-4 * largest
		if k != nil && k.Bits <= 16 {
			switch k.Numeric {
			case texture.UNorm:
				limit = max(1e-4, 1.01/float64(uint64(1)<<k.Bits-1))
			case texture.SNorm:
				limit = max(limit, 1.01/float64(uint64(1)<<(k.Bits-1)-1))
			case texture.SFloat:
				limit = 1e-2 * max(math.Abs(x), math.Abs(y), 1e-2)
			}
		}
		if x != y && !(math.Abs(x-y) <= limit) && !(x != x && y != y) {
			return false
		}
	}
	return true
}

// TestDrawsLikeLavapipe runs every script on both. Each must change some pixels.
func TestDrawsLikeLavapipe(t *testing.T) {
	for _, file := range scripts.Files(t, "../../amber/graphics/*.*") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			script := scripts.Read(t, file)
			e := &both{t: t, first: onInterp(file), second: onLavapipe(t, file)}
			report, err := script.Run(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range report.Errors() {
				t.Error(err)
			}
			if e.covered == 0 {
				t.Error("no draw changes a pixel")
			}
		})
	}
}
