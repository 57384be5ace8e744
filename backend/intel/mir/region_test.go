// SPDX-License-Identifier: MIT

package mir_test

import (
	"slices"
	"testing"
	"unsafe"

	"jacquard.example/backend/intel/mir"
)

// TestOperandSize limits the size of operands: an instruction has four, and passes visit all of them.
func TestOperandSize(t *testing.T) {
	if n := unsafe.Sizeof(mir.Operand{}); n != 16 {
		t.Errorf("an operand has %d bytes", n)
	}
}

// TestRegionOf checks that exactly the machine's regions are accepted, and that their lanes are where the three
// numbers place them.
func TestRegionOf(t *testing.T) {
	taken := 0
	for v := range uint(70) {
		for w := range uint(35) {
			for h := range uint(10) {
				// TGL PRM vol. 2a, "Register Region Restrictions", lists the values of the fields. A single
				// column has no horizontal stride, and a single element is a single column.
				legal := slices.Contains([]uint{0, 1, 2, 4, 8, 16, 32}, v) && slices.Contains([]uint{1, 2, 4, 8, 16}, w) &&
					slices.Contains([]uint{0, 1, 2, 4}, h) && !(w == 1 && h != 0) && !(v == 0 && h == 0 && w != 1)
				stride, rows, ok := mir.RegionOf(v, w, h)
				if ok != legal {
					t.Fatalf("<%d;%d,%d>: %v", v, w, h, ok)
				}
				if !ok {
					continue
				}
				taken++
				o := mir.Fixed(1, ud)
				o.Stride, o.Rows = stride, rows
				oneStride := true
				for i := range uint32(32) {
					want := uint32(uint(i)/w*v + uint(i)%w*h)
					if got := o.LaneOffset(i); got != 4*want {
						t.Fatalf("<%d;%d,%d>: lane %d is at byte %d", v, w, h, i, got)
					}
					oneStride = oneStride && want == i*o.LaneOffset(1)/4
				}
				if oneStride != (rows == 0) {
					t.Errorf("<%d;%d,%d>: stride %d, rows %#x", v, w, h, stride, rows)
				}
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d regions", taken)
	}
}

// TestSlice checks that slicing an operand does not move its lanes, and that a part of a row has one stride.
func TestSlice(t *testing.T) {
	for v := range uint(33) {
		for w := uint(1); w <= 16; w *= 2 {
			for h := range uint(5) {
				if _, _, ok := mir.RegionOf(v, w, h); !ok {
					continue
				}
				whole := mir.Fixed(1, ud).At(4).WithRegion(v, w, h)
				for n := 1; n <= 32; n *= 2 {
					for first := 0; first < 32; first += n {
						part := whole
						part.Slice(uint32(first), n)
						for i := range n {
							if got, want := part.Off+part.LaneOffset(uint32(i)), whole.Off+whole.LaneOffset(uint32(first+i)); got != want {
								t.Fatalf("<%d;%d,%d>, %d lanes from %d: lane %d is at byte %d, was at %d", v, w, h, n, first, i, got, want)
							}
						}
						if part.Rows != 0 && int(part.Rows.Width()) >= n {
							t.Fatalf("<%d;%d,%d>, %d lanes from %d: rows of %d", v, w, h, n, first, part.Rows.Width())
						}
					}
				}
			}
		}
	}
}
