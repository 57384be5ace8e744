// SPDX-License-Identifier: MIT

package fields

import "testing"

// TestSWSBOfItsParts checks that every valid field can be rebuilt from its parts.
func TestSWSBOfItsParts(t *testing.T) {
	valid := 0
	for i := range 1 << 16 {
		s := SWSB(i)
		if !s.Valid() {
			continue
		}
		valid++
		tok, use := s.Token()
		got, msg := MakeSWSB(use == TokenSet, s.Pipe(), s.Dist(), tok, use)
		if msg != "" || got != s {
			t.Errorf("%#02x is %v: its parts make %#02x, %q", i, s, uint16(got), msg)
		}
	}
	if want := (1 + MaxDist*NumPipes) * (1 + 3*32); valid != want {
		t.Errorf("%d fields are valid, want %d", valid, want)
	}
}

// TestPipeNames checks that letters of pipes name them.
func TestPipeNames(t *testing.T) {
	for p := PipeOwn + 1; p < NumPipes; p++ {
		if got, ok := PipeByName(p.String()); !ok || got != p {
			t.Errorf("%q is %v, %v", p.String(), got, ok)
		}
	}
	if p, ok := PipeByName(""); ok {
		t.Errorf("no letter names %v", p)
	}
}

// TestSWSBRefused checks that tokens of instructions that allocate none are rejected.
func TestSWSBRefused(t *testing.T) {
	for _, c := range []struct {
		outOfOrder bool
		dist       int
		use        TokenUse
	}{
		{false, 0, TokenSet},
		{false, 1, TokenSet},
	} {
		if s, msg := MakeSWSB(c.outOfOrder, PipeOwn, c.dist, 3, c.use); msg == "" {
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
