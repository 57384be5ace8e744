// SPDX-License-Identifier: MIT

package diff

// pair is a pair of indices of equal elements of two sequences.
type pair struct{ old, new int }

// maxCost bounds the number of differences searched for between two points that must be aligned. With more
// differences, the alignment may not be the shortest one. It bounds the time by the length of the sequences times
// maxCost.
const maxCost = 1000

// aligner aligns two sequences by the algorithm of Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in
// linear space (section 4b).
type aligner struct {
	old, new          []int
	forward, backward []int // by diagonal plus an offset: the furthest element of old reached
	pairs             []pair
}

// align returns, in order, the pairs of a longest common subsequence, or of a shorter one if the sequences differ too
// much.
func align(old, new []int) []pair {
	size := 2*min(maxCost, (len(old)+len(new)+1)/2) + 3
	a := &aligner{old: old, new: new, forward: make([]int, size), backward: make([]int, size)}
	a.between(0, len(old), 0, len(new))
	return a.pairs
}

// between aligns old[i:m] and new[j:n].
func (a *aligner) between(i, m, j, n int) {
	for i < m && j < n && a.old[i] == a.new[j] {
		a.pairs = append(a.pairs, pair{i, j})
		i, j = i+1, j+1
	}
	same := 0
	for i < m && j < n && a.old[m-1] == a.new[n-1] {
		same, m, n = same+1, m-1, n-1
	}
	if i < m && j < n {
		x, y := a.middle(a.old[i:m], a.new[j:n])
		a.between(i, i+x, j, j+y)
		a.between(i+x, m, j+y, n)
	}
	for k := range same {
		a.pairs = append(a.pairs, pair{m + k, n + k})
	}
}

// middle returns a point on a shortest path through two sequences that are not empty and differ at both ends, or, if
// they have too many differences, the furthest point that it reached.
func (a *aligner) middle(old, new []int) (x, y int) {
	reach := min(maxCost, (len(old)+len(new)+1)/2)
	center := reach + 1
	for i := range 2*center + 1 {
		a.forward[i], a.backward[i] = -1, -1
	}
	a.forward[center+1], a.backward[center+1] = 0, 0
	delta := len(old) - len(new)
	for d := range reach + 1 {
		for k := -d; k <= d; k += 2 {
			x := step(a.forward, center+k, k, len(old), len(new), func(x, y int) bool { return old[x] == new[y] })
			if other := delta - k; delta%2 != 0 && x >= 0 && abs(other) < d && meets(a.backward[center+other], x, len(old)) {
				return x, x - k
			}
		}
		for k := -d; k <= d; k += 2 {
			x := step(a.backward, center+k, k, len(old), len(new), func(x, y int) bool { return old[len(old)-1-x] == new[len(new)-1-y] })
			if other := delta - k; delta%2 == 0 && x >= 0 && abs(other) <= d && meets(a.forward[center+other], x, len(old)) {
				return len(old) - x, len(new) - (x - k)
			}
		}
	}
	for k := -reach; k <= reach; k++ { // too many differences
		if at := a.forward[center+k]; at >= 0 && 2*at-k > x+y {
			x, y = at, at-k
		}
	}
	return x, y
}

// meets reports whether paths from both ends, on the same diagonal, have met.
func meets(other, x, length int) bool { return other >= 0 && other+x >= length }

// step extends the paths that end on the diagonals beside k by one difference, then along k. It returns the furthest
// x, or -1 if that leaves the sequences. at is the index of k in reached.
func step(reached []int, at, k, m, n int, equal func(x, y int) bool) int {
	x := -1
	if left := reached[at-1]; left >= 0 && left < m {
		x = left + 1
	}
	if right := reached[at+1]; right > x && right-k <= n {
		x = right
	}
	if x >= 0 && (x-k < 0 || x-k > n) {
		x = -1
	}
	for x >= 0 && x < m && x-k < n && equal(x, x-k) {
		x++
	}
	reached[at] = x
	return x
}

func abs(x int) int { return max(x, -x) }
