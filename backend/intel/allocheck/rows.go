// SPDX-License-Identifier: MIT

package allocheck

import "slices"

// row holds the facts about one register: the places of each byte. Rows are interned and immutable.
type row struct {
	reg     int32
	bytes   []set
	buckets []uint16   // buckets of the places where a byte may be
	mask    bucketMask // mask of these buckets
	next    *row       // next row with the same hash
}

// Buckets group places: each bucketPlaces of the register file, at most a register, have their own bucket; all other places
// share the rest.
const (
	bucketPlaces = 32
	fileBuckets  = fileBytes / bucketPlaces
	numBuckets   = 1 << 12
)

func bucketOf(x place) uint16 {
	if x < fileBytes {
		return uint16(max(x, 0) / bucketPlaces)
	}
	return uint16(fileBuckets + uint32(x/bucketPlaces)*2654435761>>16%(numBuckets-fileBuckets))
}

// bucketMask is a set of buckets, some of which share a bit.
type bucketMask [4]uint64

func (m *bucketMask) add(u uint16) { m[u>>6&3] |= 1 << (u & 63) }

func (m *bucketMask) meets(o *bucketMask) bool {
	return m[0]&o[0]|m[1]&o[1]|m[2]&o[2]|m[3]&o[3] != 0
}

// addPlaces adds the buckets of n places starting at x.
func (m *bucketMask) addPlaces(x place, n int) {
	for u := x &^ (bucketPlaces - 1); u < x+place(n); u += bucketPlaces {
		m.add(bucketOf(u))
	}
}

// rowPair holds two rows of a register.
type rowPair struct{ x, y *row }

// rows interns rows and memoizes operations on them.
type rows struct {
	byHash  map[uint64]*row
	met     map[rowPair]*row
	stopped map[rowPair]*row
	bytes   []set
}

func newRows() *rows {
	return &rows{byHash: map[uint64]*row{}, met: map[rowPair]*row{}, stopped: map[rowPair]*row{}}
}

// row returns the interned row for the facts about a register.
func (c *checker) row(r int32, bytes []set) *row {
	c.new.Work.Spend(byteSteps * len(bytes))
	hash := uint64(r)
	for _, s := range bytes {
		hash = (hash ^ uint64(s)) * 0x9E3779B97F4A7C15
		hash ^= hash >> 29
	}
	first := c.rows.byHash[hash]
	for x := first; x != nil; x = x.next {
		if x.reg == r && slices.Equal(x.bytes, bytes) {
			return x
		}
	}
	x := &row{reg: r, bytes: slices.Clone(bytes), next: first}
	for from, k := 0, 1; k <= len(bytes); k++ {
		if k < len(bytes) && bytes[k] == bytes[from] {
			continue
		}
		for _, d := range c.sets.members[bytes[from]] {
			for u := (place(from) + d) &^ (bucketPlaces - 1); u < place(k)+d; u += bucketPlaces {
				if n := bucketOf(u); !slices.Contains(x.buckets, n) {
					x.buckets = append(x.buckets, n)
					x.mask.add(n)
				}
			}
		}
		from = k
	}
	c.rows.byHash[hash] = x
	return x
}

// meet returns the facts common to two rows of a register. A missing row allows any contents.
func (c *checker) meet(x, y *row) *row {
	switch {
	case x == y || y == nil:
		return x
	case x == nil:
		return y
	}
	if m, ok := c.rows.met[rowPair{x, y}]; ok {
		return m
	}
	b := append(c.rows.bytes[:0], x.bytes...)
	for k, s := range y.bytes {
		b[k] = c.sets.meet(b[k], s)
	}
	c.rows.bytes = b
	m := c.row(x.reg, b)
	c.rows.met[rowPair{x, y}] = m
	return m
}

// stop returns the facts that hold for all lanes of a register at a point where active lanes may stop.
func (c *checker) stop(thread, lanes *row) *row {
	if thread == nil || lanes == nil || thread == lanes {
		return thread
	}
	if m, ok := c.rows.stopped[rowPair{thread, lanes}]; ok {
		return m
	}
	b := append(c.rows.bytes[:0], thread.bytes...)
	for k, s := range lanes.bytes {
		if b[k] != anything && c.owner[thread.reg][k] != noLane {
			b[k] = c.sets.meet(b[k], s)
		}
	}
	c.rows.bytes = b
	m := c.row(thread.reg, b)
	c.rows.stopped[rowPair{thread, lanes}] = m
	return m
}

// join intersects the facts at the start of a block, for the listed registers in order, with the facts of
// another path. It reports whether they changed.
func (c *checker) join(to []*row, regs []int32, from func(i int, r int32) *row) bool {
	c.new.Work.Spend(len(regs))
	changed := false
	for i, r := range regs {
		if m := c.meet(to[i], from(i, r)); m != to[i] {
			to[i], changed = m, true
		}
	}
	return changed
}
