// SPDX-License-Identifier: MIT

package renderer

import (
	"encoding/binary"
	"math"
)

// The formats below follow gioui.org/shader's piet/*.h. Everything is 32-bit words; offsets are in bytes from the word
// after the memory's header.

// Sizes in bytes.
const (
	elementSize   = 36   // scene: tag, then up to 8 words
	annotatedSize = 32   // tag | fill mode << 16, bbox (4), line width, color or image (2)
	pathSegSize   = 52   // tag | fill mode << 16, 4 points, path, transform, stroke (2)
	transformSize = 24   // matrix by columns (4), translation (2)
	pathSize      = 12   // bbox in tiles as 16-bit pairs (2), offset of the tiles
	tileSize      = 8    // offset of the first segment or 0, backdrop
	tileSegSize   = 24   // origin (2), vector (2), y edge, offset of the next or 0
	binSize       = 8    // for each partition and bin: count, offset of path numbers
	commandsSize  = 1024 // a tile's first block of commands
	stateSize     = 60   // size of one scan state
	headerSize    = 8    // header of the memory: offset of the next allocation, error
)

// Geometry.
const (
	tilePixels    = 32
	binTilesX     = 16
	binTilesY     = 8
	binCount      = binTilesX * binTilesY // lanes of binning and coarse, and paths in a partition
	scanPartition = 128                   // scene elements that one workgroup of elements takes
)

// Tags of scene elements.
const (
	elementNop = iota
	elementLine
	elementQuad
	elementCubic
	elementFillColor
	elementSetLineWidth
	elementTransform
	elementBeginClip
	elementEndClip
	elementFillImage
	elementSetFillMode
)

// Tags of annotated elements.
const (
	annotatedNop = iota
	annotatedColor
	annotatedImage
	annotatedBeginClip
	annotatedEndClip
)

// Tags of commands, and how many words each has after the tag.
const (
	commandEnd = iota
	commandFill
	commandStroke
	commandSolid
	commandAlpha
	commandColor
	commandImage
	commandBeginClip
	commandEndClip
	commandJump
)

var commandWords = [...]int{
	commandFill: 2, commandStroke: 2, commandAlpha: 1, commandColor: 1, commandImage: 2, commandJump: 1,
}

// Fill modes.
const (
	modeFill   = 0 // non-zero winding
	modeStroke = 1
)

// A config is the configuration buffer: ten words in this order.
type config struct {
	paths, pathSegs               uint32 // counts
	width, height                 uint32 // size of the canvas in tiles
	tiles, bins, commands         uint32 // offsets of fixed allocations
	segments, annotated, matrices uint32
}

func (c config) bytes() []byte {
	return words(c.paths, c.pathSegs, c.width, c.height, c.tiles, c.bins, c.commands, c.segments, c.annotated, c.matrices)
}

func words(w ...uint32) []byte {
	var b []byte
	for _, v := range w {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// A memory is the buffer that all stages share: the header, then the words
// that offsets count from.
type memory []byte

// newMemory makes a memory of size bytes after the header, of which the first used bytes are allocated. It is filled
// with a pattern, so that missing stores of a stage show.
func newMemory(size, used uint32) memory {
	m := make(memory, headerSize+size)
	for i := headerSize; i < len(m); i++ {
		m[i] = 0xcd
	}
	binary.LittleEndian.PutUint32(m, used)
	return m
}

func (m memory) next() uint32   { return binary.LittleEndian.Uint32(m) }
func (m memory) failed() uint32 { return binary.LittleEndian.Uint32(m[4:]) }
func (m memory) size() uint32   { return uint32(len(m) - headerSize) }

func (m memory) alloc(size uint32) uint32 {
	at := m.next()
	binary.LittleEndian.PutUint32(m, at+size)
	return at
}

// has reports whether size bytes at an offset are within the memory.
func (m memory) has(at, size uint32) bool {
	return at%4 == 0 && uint64(at)+uint64(size) <= uint64(m.size())
}

func (m memory) get(at uint32) uint32       { return binary.LittleEndian.Uint32(m[headerSize+at:]) }
func (m memory) getFloat(at uint32) float32 { return math.Float32frombits(m.get(at)) }

func (m memory) put(at uint32, w ...uint32) {
	for i, v := range w {
		binary.LittleEndian.PutUint32(m[headerSize+int(at)+4*i:], v)
	}
}

func floatBits(f ...float32) []uint32 {
	w := make([]uint32, len(f))
	for i, v := range f {
		w[i] = math.Float32bits(v)
	}
	return w
}
