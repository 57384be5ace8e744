// SPDX-License-Identifier: MIT

package ir

import (
	"hash/maphash"
	"math/bits"
)

// seed is the seed of all hashes of a process. It is random, so that no input can choose its collisions.
var seed = maphash.MakeSeed()

// handles is a hash table of handles, with open addressing. The owner of the named objects compares them:
//
//	for at := t.at(hash); t.slots[at].named != 0; at = t.after(at) {
type handles struct {
	slots []slot // at least half of them free
	n     int
}

type slot struct {
	hash  uint32
	named uint32 // 1 + the handle; 0 if free
}

// reset empties the table. If few slots were used, it also halves the table.
func (t *handles) reset() {
	const least = 64
	switch n := len(t.slots); {
	case n == 0:
		t.slots = make([]slot, least)
	case n > least && 8*t.n < n:
		t.slots = t.slots[:n/2]
	}
	clear(t.slots)
	t.n = 0
}

// at returns the first slot for a hash.
func (t *handles) at(hash uint32) int { return int(hash) & (len(t.slots) - 1) }

// after returns the slot to probe next.
func (t *handles) after(at int) int { return (at + 1) & (len(t.slots) - 1) }

// add adds a handle that is not in the table.
func (t *handles) add(hash, handle uint32) {
	if t.n++; 2*t.n > len(t.slots) {
		t.grow()
	}
	t.put(slot{hash, handle + 1})
}

func (t *handles) put(x slot) {
	at := t.at(x.hash)
	for t.slots[at].named != 0 {
		at = t.after(at)
	}
	t.slots[at] = x
}

func (t *handles) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	for _, x := range old {
		if x.named != 0 {
			t.put(x)
		}
	}
}

// Strings interns strings. Their bytes are in one slice.
type Strings struct {
	bytes []byte
	ends  []uint32 // by handle
	index handles
}

func (t *Strings) reset() {
	t.bytes, t.ends = t.bytes[:0], append(t.ends[:0], 0)
	t.index.reset()
}

// of returns the bytes of a string.
func (t *Strings) of(h Str) []byte {
	if h == 0 {
		return nil
	}
	return t.bytes[t.ends[h-1]:t.ends[h]]
}

// Intern returns the handle of a string.
func (t *Strings) Intern(text string) Str { return t.InternBytes([]byte(text)) }

// Text returns the string of a handle.
func (t *Strings) Text(h Str) string { return string(t.of(h)) }

// InternBytes returns the handle of a string, given as bytes.
func (t *Strings) InternBytes(text []byte) Str {
	if len(text) == 0 {
		return 0
	}
	hash := uint32(maphash.Bytes(seed, text))
	x := &t.index
	for at := x.at(hash); x.slots[at].named != 0; at = x.after(at) {
		if s := x.slots[at]; s.hash == hash && string(t.of(Str(s.named-1))) == string(text) {
			return Str(s.named - 1)
		}
	}
	h := len(t.ends)
	t.bytes = append(t.bytes, text...)
	t.ends = append(t.ends, uint32(len(t.bytes)))
	x.add(hash, uint32(h))
	return Str(h)
}

// seedWord is the initial state of the hashes of types.
var seedWord = maphash.Bytes(seed, nil)

// hasher is the hash of a sequence of words.
type hasher uint64

func (h *hasher) add(x uint64) {
	hi, lo := bits.Mul64(uint64(*h)^x, 0x9E3779B97F4A7C15)
	*h = hasher(hi ^ lo)
}

func (h hasher) sum() uint32 { return uint32(h) }

// info adds all fields of a type except its members.
func (h *hasher) info(x *TypeInfo) {
	h.add(uint64(x.Kind) | uint64(x.Bits)<<8 | flag(x.RowMajor)<<16 | flag(x.Arrayed)<<17 | flag(x.Multisampled)<<18 | flag(x.Shadow)<<19 |
		flag(x.Storage)<<20 | flag(x.Block)<<21 | uint64(x.Dim)<<24 | uint64(x.Format)<<32)
	h.add(uint64(x.Modes) | uint64(x.Elem)<<32)
	h.add(uint64(x.Len) | uint64(x.Stride)<<32)
	h.add(uint64(x.Size) | uint64(x.Name)<<32)
}

// member adds all fields of a member.
func (h *hasher) member(m *Member) {
	h.add(uint64(m.Type) | uint64(m.Offset)<<32)
	h.add(uint64(m.Name) | uint64(m.Stride)<<32)
	h.add(uint64(m.Access) | uint64(m.Builtin)<<32)
	h.add(uint64(m.Location) | uint64(m.Qual)<<32)
	h.add(flag(m.RowMajor) | uint64(m.Comp)<<8)
}

func flag(set bool) uint64 {
	if set {
		return 1
	}
	return 0
}
