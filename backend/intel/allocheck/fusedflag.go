// SPDX-License-Identifier: MIT

package allocheck

import (
	"slices"

	"jacquard.example/core/bits"
)

// savedFlag is a doubleword that a flag has been copied to, with the facts about the flag's bits.
type savedFlag struct {
	home   span
	origin [perFlag]int32
	dirty  [2][perFlag]bool
}

// save begins to track a doubleword that a flag is copied to.
func (x *fused) save(home span) *savedFlag {
	x.overwrite(home)
	x.saved = append(x.saved, savedFlag{home: home})
	return &x.saved[len(x.saved)-1]
}

// savedIn returns the flag saved in a doubleword, or nil.
func (x *fused) savedIn(home span) *savedFlag {
	if k := slices.IndexFunc(x.saved, func(s savedFlag) bool { return s.home == home }); k >= 0 {
		return &x.saved[k]
	}
	return nil
}

// overwrite forgets flags saved in overwritten places.
func (x *fused) overwrite(s span) {
	x.saved = slices.DeleteFunc(x.saved, func(f savedFlag) bool {
		return f.home.first < s.first+s.n && s.first < f.home.first+f.home.n
	})
}

// moveOrigin copies the origins along with the contents of a copy.
func (x *fused) moveOrigin(from, to span) {
	old := slices.Clone(x.origin[from.first : from.first+from.n])
	switch {
	case from.n == to.n:
		x.overwrite(to)
		copy(x.origin[to.first:], old)
	case from.n == perFlag:
		copy(x.save(to).origin[:], old)
		x.renew(to)
	default:
		x.renew(to)
		if f := x.savedIn(from); f != nil {
			copy(x.origin[to.first:], f.origin[:])
		}
	}
}

// moveDirty copies the spoiled marks along with the contents of a copy. A byte of a flag is spoiled if one of
// its bits is.
func (x *fused) moveDirty(from, to span, dirty *[2]bits.Set) {
	f := x.savedIn(from)
	if from.n == perFlag && to.n < perFlag {
		f = x.save(to)
		for k, d := range dirty {
			for j := range f.dirty[k] {
				f.dirty[k][j] = d.Has(from.first + j)
			}
		}
	} else {
		x.overwrite(to)
	}
	for k, d := range dirty {
		was := make([]bool, to.n)
		for j := range was {
			for p := j * from.n / to.n; p <= ((j+1)*from.n-1)/to.n; p++ {
				was[j] = was[j] || d.Has(from.first+p)
			}
			if to.n == perFlag && from.n < perFlag && f != nil {
				was[j] = f.dirty[k][j]
			}
		}
		for j, x := range was {
			if d.Remove(to.first + j); x {
				d.Add(to.first + j)
			}
		}
	}
}
