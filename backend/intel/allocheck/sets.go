// SPDX-License-Identifier: MIT

package allocheck

import (
	"encoding/binary"
	"slices"

	"jacquard.example/backend/intel/mir"
)

// Places are numbered in one space: the register file, then scratch, then constants and rematerialized results.
// If the second program also has virtual registers, their bytes are places too.
type place = int32

const (
	fileBytes    = mir.MaxFileBytes
	scratchStart = place(1) << 16
	vregStart    = place(1) << 24
	constStart   = place(1) << 28
	constBytes   = place(fileBytes)
	redoStart    = place(1) << 30
	maxRedos     = int(1<<30/constBytes) - 1
)

// set is the handle of a set of distances: byte b of a virtual register is at place b+d, for each d of the set.
// Sets are interned.
type set uint32

const (
	anything set = iota // the byte is undefined: every place holds it
	nowhere             // no place holds it
)

type setPair struct {
	s set
	x int64
}

// sets interns sets and memoizes operations on them.
type sets struct {
	members [][]place
	names   map[string]set
	meets   map[setPair]set
	without map[setPair]set
	with    map[setPair]set
	shifted map[setPair]set
	key     []byte
}

func newSets() *sets {
	return &sets{
		members: [][]place{nil, nil}, names: map[string]set{"": nowhere},
		meets: map[setPair]set{}, without: map[setPair]set{}, with: map[setPair]set{}, shifted: map[setPair]set{},
	}
}

func (t *sets) name(m []place) set {
	t.key = t.key[:0]
	for _, d := range m {
		t.key = binary.LittleEndian.AppendUint32(t.key, uint32(d))
	}
	if s, ok := t.names[string(t.key)]; ok {
		return s
	}
	t.members = append(t.members, slices.Clone(m))
	s := set(len(t.members) - 1)
	t.names[string(t.key)] = s
	return s
}

// one returns the set of one distance.
func (t *sets) one(d place) set { return t.name([]place{d}) }

func (t *sets) has(s set, d place) bool {
	return s == anything || slices.Contains(t.members[s], d)
}

func (t *sets) remember(memo map[setPair]set, s set, x int64, change func(m []place) []place) set {
	if r, ok := memo[setPair{s, x}]; ok {
		return r
	}
	r := t.name(change(slices.Clone(t.members[s])))
	memo[setPair{s, x}] = r
	return r
}

// meet returns the intersection of two sets.
func (t *sets) meet(a, b set) set {
	switch {
	case a == b || b == anything:
		return a
	case a == anything:
		return b
	}
	if a > b {
		a, b = b, a
	}
	return t.remember(t.meets, a, int64(b), func(m []place) []place {
		return slices.DeleteFunc(m, func(d place) bool { return !slices.Contains(t.members[b], d) })
	})
}

// remove removes a distance from a set other than anything.
func (t *sets) remove(s set, d place) set {
	return t.remember(t.without, s, int64(d), func(m []place) []place {
		return slices.DeleteFunc(m, func(x place) bool { return x == d })
	})
}

// add adds a distance to a set other than anything.
func (t *sets) add(s set, d place) set {
	return t.remember(t.with, s, int64(d), func(m []place) []place {
		if !slices.Contains(m, d) {
			m = append(m, d)
			slices.Sort(m)
		}
		return m
	})
}

// shift adds n to all distances.
func (t *sets) shift(s set, n place) set {
	if s == anything || n == 0 {
		return s
	}
	return t.remember(t.shifted, s, int64(n), func(m []place) []place {
		for i := range m {
			m[i] += n
		}
		return m
	})
}
