// SPDX-License-Identifier: MIT

package shard

import (
	"fmt"
	"strconv"
	"strings"
)

// Part is one of several parts of a list.
type Part struct {
	Index int // from 1
	Of    int
}

// Parse parses "I/N" with I from 1 to N.
func Parse(text string) (p Part, ok bool) {
	left, right, cut := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(right)
	return Part{i, n}, cut && err1 == nil && err2 == nil && 1 <= i && i <= n
}

func (p Part) String() string { return fmt.Sprintf("%d/%d", p.Index, p.Of) }

// Has reports whether the part has the files with a hash. Each hash is in one part, whatever other files there are.
func (p Part) Has(hash uint64) bool { return hash%uint64(p.Of) == uint64(p.Index-1) }

// Hash returns the hash that assigns a text to a part.
func Hash(text []byte) uint64 {
	var d Digest
	d.Add(text)
	return d.Sum()
}

// Digest hashes texts one after the other: 64-bit FNV-1a, with the finalizer of MurmurHash3, since the low bits of FNV
// depend only on the low bits of the text.
type Digest struct{ state uint64 }

// fnvOffset and fnvPrime are the parameters of FNV-1a. The state is stored as the difference from the offset, so that
// the zero Digest is empty.
const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// Add appends a text.
func (d *Digest) Add(text []byte) {
	h := d.state ^ fnvOffset
	for _, c := range text {
		h = (h ^ uint64(c)) * fnvPrime
	}
	d.state = h ^ fnvOffset
}

// Sum returns the hash of the texts so far.
func (d *Digest) Sum() uint64 {
	h := d.state ^ fnvOffset
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
