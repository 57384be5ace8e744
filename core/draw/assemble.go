// SPDX-License-Identifier: MIT

package draw

// Topology selects how vertices form primitives (Vulkan specification, "Primitive Topologies").
type Topology uint8

// The topologies. Adjacency vertices are dropped: only geometry shaders read them.
const (
	TriangleList Topology = iota
	TriangleStrip
	TriangleFan
	PointList
	LineList
	LineStrip
	LineListWithAdjacency
	LineStripWithAdjacency
	TriangleListWithAdjacency
	TriangleStripWithAdjacency
)

// shape describes the grouping of vertices in a topology.
type shape struct {
	step  int   // vertices from one primitive to the next
	size  int   // vertices that a primitive needs
	at    []int // positions of its vertices among them
	swaps bool  // every other primitive has its last two vertices swapped
}

var shapes = [...]shape{
	TriangleList:               {3, 3, []int{0, 1, 2}, false},
	TriangleStrip:              {1, 3, []int{0, 1, 2}, true},
	TriangleFan:                {1, 3, []int{1, 2, 0}, false},
	PointList:                  {1, 1, []int{0}, false},
	LineList:                   {2, 2, []int{0, 1}, false},
	LineStrip:                  {1, 2, []int{0, 1}, false},
	LineListWithAdjacency:      {4, 4, []int{1, 2}, false},
	LineStripWithAdjacency:     {1, 4, []int{1, 2}, false},
	TriangleListWithAdjacency:  {6, 6, []int{0, 2, 4}, false},
	TriangleStripWithAdjacency: {2, 6, []int{0, 2, 4}, true},
}

// assemble calls fn with the vertices of each primitive, the provoking vertex first: one for a point, two for a line,
// three for a triangle. list may contain restart indices.
func (t Topology) assemble(list []uint64, fn func(v []int) error) error {
	for start := 0; start < len(list); {
		end := start
		for end < len(list) && list[end] != restart {
			end++
		}
		if err := t.run(start, end, fn); err != nil {
			return err
		}
		start = end + 1
	}
	return nil
}

// run assembles the vertices from position at to position end.
func (t Topology) run(at, end int, fn func(v []int) error) error {
	s := &shapes[t]
	fan := at
	var v [3]int
	for i := 0; at+s.size <= end; i++ {
		for k, x := range s.at {
			v[k] = at + x
		}
		switch {
		case t == TriangleFan:
			v[2] = fan
		case s.swaps && i%2 == 1:
			v[1], v[2] = v[2], v[1]
		}
		if err := fn(v[:len(s.at)]); err != nil {
			return err
		}
		at += s.step
	}
	return nil
}
