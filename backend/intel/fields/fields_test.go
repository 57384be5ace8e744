// SPDX-License-Identifier: MIT

package fields

import "testing"

// TestSWSBOfItsParts checks that every valid field can be rebuilt from its parts.
func TestSWSBOfItsParts(t *testing.T) {
	valid := 0
	for i := range 256 {
		s := SWSB(i)
		if !s.Valid() {
			continue
		}
		valid++
		for _, outOfOrder := range []bool{false, true} {
			tok, use := s.Token(outOfOrder)
			if use == TokenSet && !outOfOrder {
				continue // only sends and math allocate
			}
			if got, msg := MakeSWSB(outOfOrder, s.Dist(), tok, use); got != s || msg != "" {
				t.Errorf("%#02x is %v (%v): its parts make %#02x, %q", i, s, outOfOrder, uint8(got), msg)
			}
		}
	}
	if want := 8 + 3*NumTokens + MaxDist*NumTokens; valid != want {
		t.Errorf("%d bytes have a meaning, want %d", valid, want)
	}
}

// TestSWSBRefused checks that combinations of waits that no field can encode are rejected.
func TestSWSBRefused(t *testing.T) {
	for _, c := range []struct {
		outOfOrder bool
		dist       int
		use        TokenUse
	}{
		{false, 0, TokenSet},
		{false, 1, TokenSet},
		{false, 1, TokenSrc},
		{true, 1, TokenSrc},
		{true, 1, TokenDst},
	} {
		if s, msg := MakeSWSB(c.outOfOrder, c.dist, 3, c.use); msg == "" {
			t.Errorf("%+v has the field %v", c, s)
		}
	}
}

// TestLaneMask converts single elements to masks and back.
func TestLaneMask(t *testing.T) {
	for size := range 9 {
		for sub := 0; sub < 32; sub += max(size, 1) {
			four, mask := LaneMask(uint8(sub), size)
			if !Align16Size(size) {
				if mask != 0 {
					t.Errorf("size %d has mask %#x", size, mask)
				}
				continue
			}
			if four%uint8(4*size) != 0 {
				t.Errorf("the four elements around %d of size %d start at %d", sub, size, four)
			}
			if got, ok := MaskLane(four, MaskOf(uint8(mask)), size); !ok || int(got) != sub {
				t.Errorf("element %d of size %d comes back as %d, %v", sub, size, got, ok)
			}
		}
	}
	for _, written := range []uint8{0, 3, 0xF} {
		if sub, ok := MaskLane(0, MaskOf(written), 4); ok {
			t.Errorf("a mask of %#x leaves the one element at %d", written, sub)
		}
	}
}
