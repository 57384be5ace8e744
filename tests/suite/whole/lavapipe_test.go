// SPDX-License-Identifier: MIT

package whole

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/num"
	"jacquard.example/tests/support/scripts"
)

// near runs every dispatch on the interpreter, with the reader's IR, and on lavapipe. Floats must agree within a
// relative 1e-4 and all other numbers exactly; the script's buffers declare the types.
type near struct {
	interp, lavapipe runner.Engine
}

const nearTolerance = 1e-4

func (e *near) Dispatch(ctx context.Context, c *runner.Call) error {
	mine := *c
	mine.Bindings = make([]runner.Binding, len(c.Bindings))
	copies := map[*byte][]byte{} // a buffer that is bound twice must stay one buffer
	for i, b := range c.Bindings {
		if len(b.Data) > 0 {
			first := &b.Data[0]
			if copies[first] == nil {
				copies[first] = slices.Clone(b.Data)
			}
			b.Data = copies[first]
		}
		mine.Bindings[i] = b
	}
	if err := e.interp.Dispatch(ctx, &mine); err != nil {
		return err
	}
	if err := e.lavapipe.Dispatch(ctx, c); err != nil {
		return err
	}
	for i, b := range c.Bindings {
		if err := compareNumbers(&b, mine.Bindings[i].Data, b.Data); err != nil {
			return fmt.Errorf("buffer %s: %w", b.Buffer.Name, err)
		}
	}
	return nil
}

// compareNumbers compares the numbers of a buffer by their types.
func compareNumbers(b *runner.Binding, interp, other []byte) error {
	size := b.Buffer.Layout.Size
	for at := -b.Offset; at < len(other); at += size {
		for _, s := range b.Buffer.Layout.Segments {
			from := at + s.Offset
			n := s.Scalar.Bytes()
			if from < 0 || from+n > len(other) {
				continue
			}
			x, y := interp[from:from+n], other[from:from+n]
			if string(x) == string(y) || closeFloats(s.Scalar, x, y) {
				continue
			}
			return fmt.Errorf("byte %d: interpreter %x, lavapipe %x (as %s)", from, x, y, s.Scalar)
		}
	}
	return nil
}

func closeFloats(t runner.Scalar, x, y []byte) bool {
	var a, b float64
	switch t {
	case runner.Float16:
		a, b = float64(num.F16ToF32(binary.LittleEndian.Uint16(x))), float64(num.F16ToF32(binary.LittleEndian.Uint16(y)))
	case runner.Float32:
		a, b = float64(math.Float32frombits(binary.LittleEndian.Uint32(x))), float64(math.Float32frombits(binary.LittleEndian.Uint32(y)))
	case runner.Float64:
		a, b = math.Float64frombits(binary.LittleEndian.Uint64(x)), math.Float64frombits(binary.LittleEndian.Uint64(y))
	default:
		return false
	}
	if a != a || b != b {
		return a != a && b != b
	}
	return math.Abs(a-b) <= nearTolerance*max(math.Abs(a), math.Abs(b))
}

// far are the scripts, besides exceptions, in which the two differ by more, and why.
var far = map[string]string{
	"float_inverse_trig": "lavapipe's asin and acos are polynomials good to 4096 ULP, which Vulkan allows",
	"shader_clock":       "the results are times",
	"subgroup_partial":   "the results depend on the size of the subgroup, which differs",
}

// TestInterpreterNearLavapipe runs every script on both.
func TestInterpreterNearLavapipe(t *testing.T) {
	files := scripts.Files(t, "../../amber/*.amber")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".amber")
		if crashes[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			script := scripts.Read(t, file)
			why := cmp.Or(far[name], exception(name, "lavapipe"))
			_, err := script.Run(t.Context(), &near{openInterp(t, script), openLavapipe(t, script)})
			switch {
			case err != nil && why == "":
				t.Error(err)
			case err == nil && why != "":
				t.Errorf("agrees, but is listed as disagreeing: %s", why)
			}
		})
	}
}
