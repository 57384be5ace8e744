// SPDX-License-Identifier: MIT

package renderer

import (
	"fmt"
	"math"

	"jacquard.example/backend/run/runner"
)

// Stages are the stages that [Inputs] serves, in the order of the pipeline.
var Stages = []string{"elements", "tile_alloc", "path_coarse", "backdrop", "binning", "coarse"}

// A Buffer is a storage buffer in descriptor set 0.
type Buffer struct {
	Binding uint32
	Data    []byte
}

// An Input is one dispatch of a stage: all that it reads. Every stage has the
// memory at binding 0 and the configuration at binding 1; elements also has
// the scene at 2 and the state of its scan at 3.
type Input struct {
	Stage   string
	Groups  [3]uint32
	Buffers []Buffer
	scene   *scene
	config  config
}

// Memory returns the shared memory, which holds the results after a dispatch.
func (in *Input) Memory() []byte { return in.Buffers[0].Data }

// Call returns the dispatch as an engine of scripts takes it; module is the
// stage's, as [Load] gives it. The call changes the input's buffers.
func (in *Input) Call(module []uint32) *runner.Call {
	c := &runner.Call{
		Shader: &runner.Shader{Name: in.Stage, Format: runner.SPIRVHex, Words: module},
		Entry:  "main",
		Groups: in.Groups,
	}
	for _, b := range in.Buffers {
		c.Bindings = append(c.Bindings, runner.Binding{Binding: b.Binding, Kind: runner.Storage, Data: b.Data})
	}
	return c
}

// Inputs makes an input for each of [Stages]: 250 paths on a canvas of 20 x 10 tiles, always the same. Each input is
// made here, independently of other stages' results, so that a stage can be tested alone. The tiles that backdrop and
// coarse read are pseudo-random.
func Inputs() []*Input {
	var inputs []*Input
	var s *scene
	var c config
	var m memory
	add := func(stage string, x, y uint32, more ...Buffer) {
		buffers := append([]Buffer{{0, append([]byte(nil), m...)}, {1, c.bytes()}}, more...)
		inputs = append(inputs, &Input{stage, [3]uint32{x, y, 1}, buffers, s, c})
	}
	s = newScene(true)
	c, m = s.memory()
	scans := uint32(len(s.elements) / elementSize / scanPartition)
	add("elements", scans, 1, Buffer{2, s.elements}, Buffer{3, make([]byte, 4+scans*(4+2*stateSize))})

	s = newScene(false)
	c, m = s.memory()
	partitions := divide(c.paths, binCount)
	s.modelElements(c, m)
	add("tile_alloc", partitions, 1)
	s.modelTileAlloc(c, m)
	add("path_coarse", divide(c.pathSegs, 32), 1)
	s.fillTiles(c, m)
	add("backdrop", partitions, 1)
	s.modelBackdrop(c, m)
	add("binning", partitions, 1)
	s.modelBinning(c, m)
	add("coarse", divide(c.width, binTilesX), divide(c.height, binTilesY))
	return inputs
}

func divide(n, by uint32) uint32 { return (n + by - 1) / by }

// memory lays out the fixed allocations and leaves room for allocations by the stages.
func (s *scene) memory() (config, memory) {
	c := config{paths: uint32(len(s.paths)), width: canvasWidth, height: canvasHeight}
	for _, p := range s.paths {
		c.pathSegs += uint32(len(p.curves))
	}
	at := uint32(0)
	take := func(size uint32) uint32 {
		at += size
		return at - size
	}
	c.tiles = take(c.paths * pathSize)
	c.bins = take(divide(c.paths, binCount) * binCount * binSize)
	c.commands = take(c.width * c.height * commandsSize)
	c.segments = take(c.pathSegs * pathSegSize)
	c.annotated = take(c.paths * annotatedSize)
	c.matrices = take(uint32(len(s.matrices)) * transformSize)
	const room = 3 << 20 // mostly for the clips of coarse: 8 KiB a tile and level
	return c, newMemory(at+room, at)
}

// modelElements writes the expected output of the stage elements.
func (s *scene) modelElements(c config, m memory) {
	segment := c.segments
	for i, p := range s.paths {
		mode, lineWidth, _ := p.pen(p.stroke, p.lineWidth)
		for k, cv := range p.curves {
			mode, _, stroke := p.pen(p.stroke, p.lineWidth)
			if k == 0 {
				mode, _, stroke = p.pen(p.firstStroke, p.firstWidth)
			}
			q := cv.cubic()
			m.put(segment, mode<<16|1)
			m.put(segment+4, floatBits(q[0].x, q[0].y, q[1].x, q[1].y, q[2].x, q[2].y, q[3].x, q[3].y)...)
			m.put(segment+36, uint32(i), uint32(p.transform))
			m.put(segment+44, floatBits(stroke, stroke)...)
			segment += pathSegSize
		}
		at := c.annotated + uint32(i)*annotatedSize
		m.put(at, mode<<16|p.tag)
		m.put(at+4, floatBits(p.box[:]...)...)
		switch p.tag {
		case annotatedColor:
			m.put(at+20, math.Float32bits(lineWidth), p.paint)
		case annotatedImage:
			m.put(at+20, math.Float32bits(lineWidth), p.paint, p.offset)
		}
		if p.tag == annotatedEndClip {
			m.put(at, annotatedEndClip) // without a fill mode
		}
	}
	for i, t := range s.matrices {
		m.put(c.matrices+uint32(i)*transformSize, floatBits(t.scale, 0, 0, t.scale, t.move.x, t.move.y)...)
	}
}

// pen gives the fill mode, the width of the line under the path's transform,
// and the half of it by which a curve reaches out.
func (p *path) pen(stroke bool, width float32) (mode uint32, lineWidth, reach float32) {
	if !stroke {
		return modeFill, 0, 0
	}
	return modeStroke, width * p.scale, width * p.scale / 2
}

// tileBox returns a path's box in tiles, cut at the canvas.
func (p *path) tileBox(c config) (x0, y0, x1, y1 uint32) {
	tile := func(v float32, round func(float64) float64, limit uint32) uint32 {
		return uint32(min(max(round(float64(v)/tilePixels), 0), float64(limit)))
	}
	return tile(p.box[0], math.Floor, c.width), tile(p.box[1], math.Floor, c.height),
		tile(p.box[2], math.Ceil, c.width), tile(p.box[3], math.Ceil, c.height)
}

// modelTileAlloc writes the expected output of tile_alloc, with the allocations in the order of the paths.
func (s *scene) modelTileAlloc(c config, m memory) {
	for i := range s.paths {
		x0, y0, x1, y1 := s.paths[i].tileBox(c)
		n := (x1 - x0) * (y1 - y0)
		if s.paths[i].tag == annotatedEndClip {
			n = 0
		}
		tiles := m.alloc(n * tileSize)
		m.put(tiles, make([]uint32, n*tileSize/4)...)
		m.put(c.tiles+uint32(i)*pathSize, x0|y0<<16, x1|y1<<16, tiles)
	}
}

// pathTiles reads a path's record.
func (m memory) pathTiles(c config, i int) (x0, y0, x1, y1, tiles uint32) {
	at := c.tiles + uint32(i)*pathSize
	lo, hi := m.get(at), m.get(at+4)
	return lo & 0xffff, lo >> 16, hi & 0xffff, hi >> 16, m.get(at + 8)
}

// fillTiles generates the output of path_coarse: a third of the tiles has segments (only the offsets are there), some
// rows begin with a winding.
func (s *scene) fillTiles(c config, m memory) {
	r := random(1801)
	segments := m.alloc(64 * tileSegSize)
	for i := range s.paths {
		if s.paths[i].tag == annotatedEndClip {
			continue
		}
		x0, y0, x1, y1, tiles := m.pathTiles(c, i)
		for at := tiles; at < tiles+(x1-x0)*(y1-y0)*tileSize; at += tileSize {
			if r.below(3) == 0 {
				m.put(at, segments+uint32(r.below(64))*tileSegSize)
			}
			if !s.paths[i].stroke {
				m.put(at+4, uint32([]int{0, 0, 0, 0, 1, -1}[r.below(6)]))
			}
		}
	}
}

// modelBackdrop adds up the windings of each row of tiles, from the left.
func (s *scene) modelBackdrop(c config, m memory) {
	for i := range s.paths {
		x0, y0, x1, y1, tiles := m.pathTiles(c, i)
		// A path in one row crosses no upper edge of a tile.
		if s.paths[i].stroke || s.paths[i].tag == annotatedEndClip || y1-y0 == 1 && y0 > 0 {
			continue
		}
		for y := range y1 - y0 {
			sum := uint32(0)
			for x := range x1 - x0 {
				at := tiles + (y*(x1-x0)+x)*tileSize + 4
				sum += m.get(at)
				m.put(at, sum)
			}
		}
	}
}

// modelBinning writes for each partition of the paths and each bin which
// paths touch it.
func (s *scene) modelBinning(c config, m memory) {
	wide, high := divide(c.width, binTilesX), divide(c.height, binTilesY)
	for partition := range divide(c.paths, binCount) {
		bins := make([][]uint32, binCount)
		for i := partition * binCount; i < min((partition+1)*binCount, c.paths); i++ {
			x0, y0, x1, y1 := s.paths[i].binBox(wide, high)
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					bins[y*wide+x] = append(bins[y*wide+x], i)
				}
			}
		}
		for bin, paths := range bins {
			at := uint32(0)
			if len(paths) > 0 {
				at = m.alloc(uint32(4 * len(paths)))
				m.put(at, paths...)
			}
			m.put(c.bins+(partition*binCount+uint32(bin))*binSize, uint32(len(paths)), at)
		}
	}
}

// binBox returns a path's box in bins.
func (p *path) binBox(wide, high uint32) (x0, y0, x1, y1 uint32) {
	bin := func(v float32, tiles int, round func(float64) float64, low, limit uint32) uint32 {
		return uint32(min(max(round(float64(v)/float64(tiles*tilePixels)), float64(low)), float64(limit)))
	}
	x0 = bin(p.box[0], binTilesX, math.Floor, 0, wide)
	y0 = bin(p.box[1], binTilesY, math.Floor, 0, high)
	x1 = bin(p.box[2], binTilesX, math.Ceil, x0, wide)
	y1 = bin(p.box[3], binTilesY, math.Ceil, y0, high)
	return x0, y0, x1, y1
}

// modelCommands returns the expected commands of coarse for a tile: one text for each command.
func (s *scene) modelCommands(c config, m memory, tx, ty uint32) []string {
	var out []string
	cover := func(p *path, seg, backdrop uint32) {
		switch {
		case p.stroke:
			out = append(out, fmt.Sprintf("stroke %d %g", seg, p.lineWidth*p.scale/2))
		case seg != 0:
			out = append(out, fmt.Sprintf("fill %d %d", seg, int32(backdrop)))
		default:
			out = append(out, "solid")
		}
	}
	var open []string // clips around the tile: "zero", "one" or "drawn"
	zero := func() bool { return len(open) > 0 && open[len(open)-1] == "zero" }
	for i := range s.paths {
		p := &s.paths[i]
		x0, y0, x1, y1, tiles := m.pathTiles(c, i)
		if tx < x0 || tx >= x1 || ty < y0 || ty >= y1 {
			continue
		}
		if p.tag == annotatedEndClip {
			if open[len(open)-1] == "drawn" {
				out = append(out, "solid", "endclip")
			}
			open = open[:len(open)-1]
			continue
		}
		at := tiles + ((ty-y0)*(x1-x0)+tx-x0)*tileSize
		seg, backdrop := m.get(at), m.get(at+4)
		if p.tag == annotatedBeginClip {
			switch {
			case zero() || seg == 0 && backdrop == 0:
				open = append(open, "zero")
			case seg == 0:
				open = append(open, "one")
			default:
				open = append(open, "drawn")
				cover(p, seg, backdrop)
				out = append(out, "beginclip")
			}
			continue
		}
		if zero() || seg == 0 && backdrop == 0 {
			continue
		}
		cover(p, seg, backdrop)
		if p.tag == annotatedImage {
			out = append(out, fmt.Sprintf("image %d %#x", p.paint, p.offset))
		} else {
			out = append(out, fmt.Sprintf("color %#x", p.paint))
		}
	}
	return append(out, "end")
}
