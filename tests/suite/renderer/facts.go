// SPDX-License-Identifier: MIT

package renderer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Fact is one thing that a stage has left in memory, in a form that does
// not depend on the order in which its lanes allocated: Text is exact, and
// Floats may differ in their last bits.
type Fact struct {
	Text   string
	Floats []float32
}

// Facts reads a stage's results from the memory of its input. It returns an error if the memory contains an invalid
// pointer.
func (in *Input) Facts() ([]Fact, error) {
	r := &reader{m: memory(in.Memory()), c: in.config, s: in.scene}
	if r.m.failed() != 0 {
		return nil, fmt.Errorf("%s: the stage reports memory error %d", in.Stage, r.m.failed())
	}
	readers := map[string]func(*reader){
		"elements": (*reader).elements, "tile_alloc": (*reader).tileAlloc, "path_coarse": (*reader).pathCoarse,
		"backdrop": (*reader).backdrop, "binning": (*reader).binning, "coarse": (*reader).coarse,
	}
	readers[in.Stage](r)
	if r.err != nil {
		return nil, fmt.Errorf("%s: %w", in.Stage, r.err)
	}
	return r.facts, nil
}

// Model returns the expected results of the stage, computed here; nil for path_coarse,
// whose curves are not modeled.
func (in *Input) Model() ([]Fact, error) {
	m := memory(slices.Clone(in.Memory()))
	switch in.Stage {
	case "elements":
		in.scene.modelElements(in.config, m)
	case "tile_alloc":
		in.scene.modelTileAlloc(in.config, m)
	case "backdrop":
		in.scene.modelBackdrop(in.config, m)
	case "binning":
		in.scene.modelBinning(in.config, m)
	case "coarse":
		var facts []Fact
		for ty := range in.config.height {
			for tx := range in.config.width {
				facts = append(facts, commandFact(tx, ty, in.scene.modelCommands(in.config, m, tx, ty)))
			}
		}
		return facts, nil
	default:
		return nil, nil
	}
	after := *in
	after.Buffers = []Buffer{{0, m}}
	return after.Facts()
}

// Compare returns the differences of facts; floats may differ by tolerance, relative to their size above 1.
func Compare(got, want []Fact, tolerance float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d facts, want %d", len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		if g.Text != w.Text || len(g.Floats) != len(w.Floats) {
			return fmt.Errorf("got  %s\nwant %s", g.Text, w.Text)
		}
		for k, f := range g.Floats {
			a, b := float64(f), float64(w.Floats[k])
			if near := math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b)); !near && a != b && (a == a || b == b) {
				return fmt.Errorf("%s: number %d is %g, want %g", g.Text, k, a, b)
			}
		}
	}
	return nil
}

type reader struct {
	m     memory
	c     config
	s     *scene
	facts []Fact
	err   error
}

func (r *reader) add(floats []float32, format string, args ...any) {
	r.facts = append(r.facts, Fact{fmt.Sprintf(format, args...), floats})
}

// ok reports whether size bytes at an offset are within the memory; if not, all reading ends.
func (r *reader) ok(at, size uint32, what string) bool {
	if r.err == nil && !r.m.has(at, size) {
		r.err = fmt.Errorf("%s at %#x is not in the memory", what, at)
	}
	return r.err == nil
}

func (r *reader) floats(at uint32, n int) []float32 {
	var f []float32
	for i := range n {
		f = append(f, r.m.getFloat(at+uint32(4*i)))
	}
	return f
}

func (r *reader) elements() {
	for i, p := range r.s.paths {
		at := r.c.annotated + uint32(i)*annotatedSize
		floats, rest := 5, 0 // with the line width
		switch p.tag {
		case annotatedColor:
			rest = 1
		case annotatedImage:
			rest = 2
		case annotatedEndClip, annotatedBeginClip:
			floats = 4 // the shader leaves the line width of a filled clip undefined
		}
		text := fmt.Sprintf("path %d: tag %#x", i, r.m.get(at))
		for k := range rest {
			text += fmt.Sprintf(" %#x", r.m.get(at+24+uint32(4*k)))
		}
		r.add(r.floats(at+4, floats), "%s", text)
	}
	for i := range r.c.pathSegs {
		at := r.c.segments + i*pathSegSize
		r.add(append(r.floats(at+4, 8), r.floats(at+44, 2)...), "segment %d: tag %#x path %d transform %d",
			i, r.m.get(at), r.m.get(at+36), r.m.get(at+40))
	}
	for i := range r.s.matrices {
		r.add(r.floats(r.c.matrices+uint32(i)*transformSize, 6), "transform %d", i)
	}
}

// path reads a path's record and checks that its tiles are there.
func (r *reader) path(i int) (x0, y0, x1, y1, tiles uint32, ok bool) {
	x0, y0, x1, y1, tiles = r.m.pathTiles(r.c, i)
	if r.err == nil && (x1 < x0 || y1 < y0 || x1 > r.c.width || y1 > r.c.height) {
		r.err = fmt.Errorf("path %d has the tiles %d %d %d %d", i, x0, y0, x1, y1)
	}
	n := (x1 - x0) * (y1 - y0)
	if r.s.paths[i].tag == annotatedEndClip {
		n = 0
	}
	return x0, y0, x1, y1, tiles, r.ok(tiles, n*tileSize, "tiles")
}

func (r *reader) tileAlloc() {
	type span struct{ at, end uint32 }
	var spans []span
	for i, p := range r.s.paths {
		x0, y0, x1, y1, tiles, ok := r.path(i)
		if !ok {
			return
		}
		dirty := 0
		if end := tiles + (x1-x0)*(y1-y0)*tileSize; p.tag != annotatedEndClip && end > tiles {
			spans = append(spans, span{tiles, end})
			for at := tiles; at < end; at += 4 {
				if r.m.get(at) != 0 {
					dirty++
				}
			}
		}
		r.add(nil, "path %d: tiles %d %d %d %d, %d words not zero", i, x0, y0, x1, y1, dirty)
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(spans); i++ {
		if spans[i].at < spans[i-1].end {
			r.err = fmt.Errorf("tiles at %#x overlap", spans[i].at)
		}
	}
}

func (r *reader) backdrop() {
	for i, p := range r.s.paths {
		x0, y0, x1, y1, tiles, ok := r.path(i)
		if !ok {
			return
		}
		if p.tag == annotatedEndClip {
			continue
		}
		for y := range y1 - y0 {
			var row []int32
			for x := range x1 - x0 {
				row = append(row, int32(r.m.get(tiles+(y*(x1-x0)+x)*tileSize+4)))
			}
			r.add(nil, "path %d row %d: %d", i, y, row)
		}
	}
}

// pathCoarse lists the segments of each tile. The list in memory has the
// order in which lanes came; here they are in the order of their coordinates.
func (r *reader) pathCoarse() {
	for i, p := range r.s.paths {
		x0, y0, x1, y1, tiles, ok := r.path(i)
		if !ok {
			return
		}
		if p.tag == annotatedEndClip {
			continue
		}
		for k := range (x1 - x0) * (y1 - y0) {
			var segs [][]float32
			for at := r.m.get(tiles + k*tileSize); at != 0; at = r.m.get(at + 20) {
				if !r.ok(at, tileSegSize, "segment") {
					return
				}
				if len(segs) > 1000 {
					r.err = fmt.Errorf("path %d tile %d: the list of segments does not end", i, k)
					return
				}
				segs = append(segs, r.floats(at, 5))
			}
			slices.SortFunc(segs, func(a, b []float32) int {
				return slices.CompareFunc(a, b, func(x, y float32) int {
					return cmp.Compare(math.Round(float64(x)*16), math.Round(float64(y)*16))
				})
			})
			r.add(slices.Concat(segs...), "path %d tile %d: backdrop %d, %d segments", i, k, int32(r.m.get(tiles+k*tileSize+4)), len(segs))
		}
	}
}

func (r *reader) binning() {
	for k := range divide(r.c.paths, binCount) * binCount {
		n, at := r.m.get(r.c.bins+k*binSize), r.m.get(r.c.bins+k*binSize+4)
		if n > r.c.paths {
			r.err = fmt.Errorf("bin %d has %d paths", k, n)
			return
		}
		if !r.ok(at, 4*n, "bin") {
			return
		}
		var paths []uint32
		for i := range n {
			paths = append(paths, r.m.get(at+4*i))
		}
		r.add(nil, "partition %d bin %d: %d", k/binCount, k%binCount, paths)
	}
}

func commandFact(tx, ty uint32, commands []string) Fact {
	return Fact{Text: fmt.Sprintf("tile %d %d: %s", tx, ty, strings.Join(commands, "; "))}
}

func (r *reader) coarse() {
	for ty := range r.c.height {
		for tx := range r.c.width {
			r.facts = append(r.facts, commandFact(tx, ty, r.commands(tx, ty)))
		}
	}
}

// commands reads a tile's list, after the pair of words for kernel4's scratch memory, and follows the jumps from block
// to block.
func (r *reader) commands(tx, ty uint32) []string {
	var out []string
	at := r.c.commands + (ty*r.c.width+tx)*commandsSize + 8
	for range 10000 {
		if !r.ok(at, 12, "command") {
			return nil
		}
		tag := r.m.get(at) & 0xffff
		a, b := r.m.get(at+4), r.m.get(at+8)
		switch tag {
		case commandEnd:
			return append(out, "end")
		case commandFill:
			out = append(out, fmt.Sprintf("fill %d %d", a, int32(b)))
		case commandStroke:
			out = append(out, fmt.Sprintf("stroke %d %g", a, math.Float32frombits(b)))
		case commandSolid:
			out = append(out, "solid")
		case commandColor:
			out = append(out, fmt.Sprintf("color %#x", a))
		case commandImage:
			out = append(out, fmt.Sprintf("image %d %#x", a, b))
		case commandBeginClip:
			out = append(out, "beginclip")
		case commandEndClip:
			out = append(out, "endclip")
		case commandJump:
			at = a
			continue
		default:
			r.err = fmt.Errorf("tile %d %d has the command %#x", tx, ty, r.m.get(at))
			return nil
		}
		at += 4
		if int(tag) < len(commandWords) {
			at += uint32(4 * commandWords[tag])
		}
	}
	r.err = fmt.Errorf("the commands of tile %d %d do not end", tx, ty)
	return nil
}
