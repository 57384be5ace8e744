// SPDX-License-Identifier: MIT

package piglit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
)

// Unsupported is the error for a command that this runner does not support.
type Unsupported struct{ Command string }

func (e *Unsupported) Error() string {
	return fmt.Sprintf("the command %q is not supported", e.Command)
}

// image is a texture of OpenGL: one level in two dimensions.
type image struct {
	linear        bool // texels are interpolated
	width, height uint32
	format        kind.Format
	data          []byte
}

// arrayElement is an element of an array of blocks, images or samplers, counted through arrays of arrays, or, with
// number 0, a variable that is not an array.
type arrayElement struct {
	name   string
	number uint32
}

// scriptRunner is the state that commands change.
type scriptRunner struct {
	ctx       context.Context
	engine    runner.Engine           // engine for a compute shader
	modules   []*module               // the compute shader, or the vertex and the fragment shader
	uniforms  []byte                  // the default block
	blocks    map[arrayElement][]byte // other blocks
	element   int                     // element of an array of blocks in which uniforms are set
	units     map[arrayElement]int    // units that image and sampler uniforms name
	textures  map[int]*image
	images    map[int]*image // bound as images, by unit
	ssbos     map[uint32][]byte
	counters  map[uint32][]byte
	last      *image // the most recent texture
	fb        *image // the framebuffer that is drawn to and probed
	clear     [4]float64
	runs      uint64 // dispatches so far
	relative  bool   // the coordinates of a probe are fractions
	tolerance [4]float64

	// Fields of a test that draws.
	drawer        runner.Drawer
	window        *image
	vertices      attributes
	provokesFirst bool // the first vertex of a primitive provides flat inputs
}

// HasProbe reports whether a test compares anything.
func HasProbe(test string) bool {
	return slices.ContainsFunc(commands(test), func(c []string) bool { return c[0] == "probe" || c[0] == "relative" })
}

// punctuation separates words, as spaces do.
var punctuation = strings.NewReplacer("(", " ", ")", " ", ",", " ")

// commands returns the lines of the [test] section, in words.
func commands(test string) (out [][]string) {
	for line := range strings.Lines(sections(test)["test"]) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(punctuation.Replace(line)); len(f) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// ignored lists states that every draw has here, or that none needs: distances are clipped if a shader writes them, it
// writes the sizes of points, and tests with the colors of two sides are left out, as colors of the fixed functions.
var ignored = map[string]bool{
	"GL_VERTEX_PROGRAM_TWO_SIDE": true, "GL_PROGRAM_POINT_SIZE": true, "GL_VERTEX_PROGRAM_POINT_SIZE": true, "GL_CLIP_PLANE0": true, "GL_CLIP_PLANE1": true, "GL_CLIP_PLANE2": true,
	"GL_CLIP_PLANE3": true, "GL_CLIP_PLANE4": true, "GL_CLIP_PLANE5": true, "GL_CLIP_PLANE6": true, "GL_CLIP_PLANE7": true,
}

const uniformBytes = 1 << 14

// Run runs a test with its compiled shader on an engine that has the module.
func Run(ctx context.Context, test string, spv []byte, e runner.Engine) error {
	r := newRunner(ctx, reflect(spv))
	r.engine = e
	return r.commands(test)
}

func newRunner(ctx context.Context, modules ...*module) *scriptRunner {
	return &scriptRunner{
		ctx: ctx, modules: modules, uniforms: make([]byte,
			uniformBytes), units: map[arrayElement]int{}, textures: map[int]*image{}, images: map[int]*image{},
		ssbos: map[uint32][]byte{}, counters: map[uint32][]byte{}, blocks: map[arrayElement][]byte{},
		tolerance: [4]float64{colorTolerance, colorTolerance, colorTolerance, colorTolerance},
	}
}

// commands executes the commands of a test.
func (r *scriptRunner) commands(test string) error {
	for _, c := range commands(test) {
		if err := r.command(c); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(c, " "), err)
		}
	}
	return nil
}

func (r *scriptRunner) command(c []string) error {
	unsupported := &Unsupported{c[0]}
	switch c[0] {
	case "clear":
		return r.clearCommand(c)
	case "uniform":
		if len(c) < 4 {
			return unsupported
		}
		return r.uniform(c[1], c[2], c[3:])
	case "texture":
		if len(c) < 3 {
			return unsupported
		}
		return r.texture(c)
	case "image":
		if len(c) < 3 {
			return unsupported
		}
		n, err := numbers(c[2:3])
		if err != nil || c[1] != "texture" || r.textures[n[0]] == nil {
			return unsupported
		}
		r.images[n[0]] = r.textures[n[0]]
	case "fb":
		if len(c) != 4 || c[1] != "tex" || c[2] != "2d" {
			return unsupported
		}
		n, err := numbers(c[3:])
		if err != nil || r.textures[n[0]] == nil {
			return unsupported
		}
		r.fb = r.textures[n[0]]
	case "compute":
		n, err := numbers(c[1:])
		if err != nil || len(n) != 3 || r.engine == nil {
			return unsupported
		}
		return r.dispatch([3]uint32{uint32(n[0]), uint32(n[1]), uint32(n[2])})
	case "memory", "link", "shade": // the shading model is about colors of the fixed functions
	case "draw":
		return r.drawCommand(c)
	case "ortho", "frustum":
		return r.project(c)
	case "provoking":
		r.provokesFirst = c[len(c)-1] == "first"
	case "enable":
		if len(c) != 2 || !ignored[c[1]] {
			return &Unsupported{strings.Join(c, " ")}
		}
	case "texparameter":
		return r.texParameter(c)
	case "ubo":
		n, err := numbers(c[len(c)-1:])
		if err != nil || len(c) != 4 || c[1] != "array" {
			return unsupported
		}
		r.element = n[0]
	case "tolerance":
		f, err := floats(c[1:])
		if err != nil || len(f) != 4 {
			return unsupported
		}
		r.tolerance = [4]float64(f)
	case "relative":
		if len(c) < 3 || c[1] != "probe" {
			return unsupported
		}
		r.relative = true
		err := r.probe(c[2:])
		r.relative = false
		return err
	case "ssbo":
		return r.ssbo(c)
	case "atomic":
		return r.counter(c)
	case "probe":
		return r.probe(c[1:])
	default:
		return unsupported
	}
	return nil
}

func numbers(words []string) (out []int, err error) {
	for _, w := range words {
		n, err := strconv.ParseInt(w, 0, 32)
		if err != nil {
			return nil, err
		}
		out = append(out, int(n))
	}
	return out, nil
}

func floats(words []string) (out []float64, err error) {
	for _, w := range words {
		f, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func (r *scriptRunner) clearCommand(c []string) error {
	if len(c) > 1 {
		f, err := floats(c[2:])
		if err != nil || c[1] != "color" || len(f) != 4 {
			return &Unsupported{"clear"}
		}
		r.clear = [4]float64(f)
		return nil
	}
	if r.fb != nil {
		for y := range r.fb.height {
			for x := range r.fb.width {
				r.fb.set(x, y, r.clear)
			}
		}
	}
	return nil
}

// uniform sets a uniform, an image or a sampler.
func (r *scriptRunner) uniform(typeName, name string, words []string) error {
	s, columns, rows, ok := shapeOf(typeName)
	if !ok {
		return &Unsupported{"uniform " + typeName}
	}
	base, _, _ := strings.Cut(name, "[")
	for _, m := range r.modules {
		for _, v := range m.vars {
			if v.name == base && v.class == classUniformConstant {
				n, err := numbers(words)
				if err != nil {
					return err
				}
				r.units[arrayElement{base, m.elementOf(v.typ, name)}] = n[0]
				return nil
			}
		}
	}
	to, at, err := r.place(name)
	if err != nil {
		return err
	}
	data, err := s.parseAll(words)
	if err != nil {
		return err
	}
	if len(data) != s.bytes*columns*rows {
		return fmt.Errorf("%d values for %s", len(words), typeName)
	}
	// Matrices are stored column by column.
	for c := range columns {
		for k := range rows {
			from := data[(c*rows+k)*s.bytes:][:s.bytes]
			byte := int(at.offset)
			switch {
			case columns == 1:
				byte += k * s.bytes
			case at.rowMajor:
				byte += k*int(at.matrixStride) + c*s.bytes
			default:
				byte += c*int(at.matrixStride) + k*s.bytes
			}
			if byte+s.bytes > len(to) {
				return fmt.Errorf("the uniform is beyond %d bytes", len(to))
			}
			copy(to[byte:], from)
		}
	}
	return nil
}

var formats = map[string]kind.Format{
	"GL_RGBA8": kind.FormatRgba8, "GL_RGBA32F": kind.FormatRgba32f, "GL_R32I": kind.FormatR32i,
}

// texture makes a texture: rgbw has a red, a green, a blue and a white quarter,
// the red one at 0, the blue one above it; integer counts up from its last
// number, by one along x and by the number before along y.
func (r *scriptRunner) texture(c []string) error {
	unsupported := &Unsupported{"texture " + c[1]}
	format := kind.FormatRgba8
	if last := c[len(c)-1]; strings.HasPrefix(last, "GL_") {
		f, ok := formats[last]
		if !ok {
			return &Unsupported{last}
		}
		format, c = f, c[:len(c)-1]
	}
	numeric := c[2:]
	if c[1] == "checkerboard" {
		numeric = c[2:min(6, len(c))]
	}
	n, err := numbers(numeric)
	if err != nil || len(n) < 3 || c[1] == "checkerboard" && len(n) != 4 {
		return unsupported
	}
	m := &image{width: uint32(n[1]), height: uint32(n[2]), format: format}
	m.data = make([]byte, m.width*m.height*m.bytes())
	switch c[1] {
	case "rgbw":
		quarters := [4][4]float64{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 1, 1}}
		for y := range m.height {
			for x := range m.width {
				q := 0
				if x >= m.width/2 {
					q++
				}
				if y >= m.height/2 {
					q += 2
				}
				m.set(x, y, quarters[q])
			}
		}
	case "checkerboard": // (0, 0) has the first color
		f, err := floats(c[6:])
		if err != nil || len(f) != 8 || n[1] != 0 {
			return unsupported
		}
		m = &image{width: uint32(n[2]), height: uint32(n[3]), format: format}
		m.data = make([]byte, m.width*m.height*m.bytes())
		for y := range m.height {
			for x := range m.width {
				if x/max(m.width/2, 1)^y/max(m.height/2, 1) == 0 {
					m.set(x, y, [4]float64(f[:4]))
				} else {
					m.set(x, y, [4]float64(f[4:]))
				}
			}
		}
	case "integer":
		if len(n) != 5 || format != kind.FormatR32i {
			return unsupported
		}
		for y := range m.height {
			for x := range m.width {
				copy(m.texel(x, y), le32(uint32(n[4])+x+uint32(n[3])*y))
			}
		}
	default:
		return unsupported
	}
	r.textures[n[0]], r.last = m, m
	return nil
}

func (m *image) bytes() uint32 {
	if m.format == kind.FormatRgba32f {
		return 16
	}
	return 4
}

func (m *image) texel(x, y uint32) []byte { return m.data[(y*m.width+x)*m.bytes():][:m.bytes()] }

func (m *image) set(x, y uint32, c [4]float64) {
	t := m.texel(x, y)
	for i, v := range c {
		switch m.format {
		case kind.FormatRgba8:
			t[i] = byte(math.RoundToEven(255 * min(max(v, 0), 1)))
		case kind.FormatRgba32f:
			copy(t[4*i:], le32(math.Float32bits(float32(v))))
		}
	}
}

func le32(w uint32) []byte { return []byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)} }

func (m *image) get(x, y uint32) (c [4]float64, ok bool) {
	t := m.texel(x, y)
	for i := range c {
		switch m.format {
		case kind.FormatRgba8:
			c[i] = float64(t[i]) / 255
		case kind.FormatRgba32f:
			c[i] = float64(math.Float32frombits(uint32(unsigned(t[4*i:][:4]))))
		default:
			return c, false
		}
	}
	return c, true
}

// ssbo executes the command ssbo: it creates a buffer or fills a part of it.
func (r *scriptRunner) ssbo(c []string) error {
	n, err := numbers(c[1:2])
	if err != nil {
		return err
	}
	binding := uint32(n[0])
	if len(c) == 3 {
		size, err := numbers(c[2:])
		if err != nil || size[0] < 0 || size[0] > 1<<24 {
			return &Unsupported{"ssbo"}
		}
		r.ssbos[binding] = make([]byte, size[0])
		return nil
	}
	if len(c) < 6 || c[2] != "subdata" {
		return &Unsupported{"ssbo"}
	}
	s, columns, rows, ok := shapeOf(c[3])
	at, err := numbers(c[4:5])
	if !ok || columns*rows != 1 || err != nil {
		return &Unsupported{"ssbo subdata " + c[3]}
	}
	data, err := s.parseAll(c[5:])
	if err != nil {
		return err
	}
	b := r.ssbos[binding]
	if at[0] < 0 || at[0]+len(data) > len(b) {
		return fmt.Errorf("the buffer has %d bytes", len(b))
	}
	copy(b[at[0]:], data)
	return nil
}

// counter makes atomic counters or sets one.
func (r *scriptRunner) counter(c []string) error {
	unsupported := &Unsupported{strings.Join(c[:2], " ")}
	switch c[1] {
	case "counters":
		n, err := numbers(c[2:])
		if err != nil || len(n) != 1 {
			return unsupported
		}
		r.counters[0] = make([]byte, 4*n[0])
	case "buffer", "counter":
		words := c[2:]
		n, err := numbers(words[min(1, len(words)):])
		if c[1] == "counter" && len(words) > 0 && words[0] == "buffer" {
			if err != nil || len(n) != 2 {
				return unsupported
			}
			r.counters[uint32(n[0])] = make([]byte, 4*n[1])
			return nil
		}
		n, err = numbers(words)
		if err != nil || len(n) != 3 {
			return unsupported
		}
		b := r.counters[uint32(n[0])]
		if n[1] < 0 || 4*n[1]+4 > len(b) {
			return fmt.Errorf("the buffer has %d bytes", len(b))
		}
		copy(b[4*n[1]:], le32(uint32(n[2])))
	default:
		return unsupported
	}
	return nil
}

// probe runs a probe command: it compares pixels, a buffer or an atomic counter with the expected value.
func (r *scriptRunner) probe(c []string) error {
	switch c[0] {
	case "rgb", "rgba", "all", "rect":
		return r.probeColor(c)
	case "ssbo":
		if len(c) != 6 {
			return &Unsupported{"probe ssbo"}
		}
		n, err := numbers(c[2:4])
		if err != nil {
			return err
		}
		return r.probeBuffer(c[1], r.ssbos[uint32(n[0])], n[1], c[4], c[5])
	case "atomic":
		if len(c) < 5 || c[1] != "counter" {
			return &Unsupported{"probe atomic"}
		}
		c = c[2:]
		binding := 0
		if c[0] == "buffer" {
			n, err := numbers(c[1:2])
			if err != nil {
				return err
			}
			binding, c = n[0], c[2:]
		}
		n, err := numbers(c[:1])
		if err != nil || len(c) != 3 {
			return &Unsupported{"probe atomic counter"}
		}
		return r.probeBuffer("uint", r.counters[uint32(binding)], 4*n[0], c[1], c[2])
	}
	return &Unsupported{"probe " + c[0]}
}

func (r *scriptRunner) probeBuffer(typeName string, b []byte, at int, op, word string) error {
	s, columns, rows, ok := shapeOf(typeName)
	if !ok || columns*rows != 1 {
		return &Unsupported{"probe " + typeName}
	}
	want, err := s.parse(word)
	if err != nil {
		return err
	}
	if at < 0 || at+s.bytes > len(b) {
		return fmt.Errorf("the buffer has %d bytes", len(b))
	}
	got := b[at : at+s.bytes]
	ok, err = s.compare(got, want, op)
	if err == nil && !ok {
		err = fmt.Errorf("there is %#x", unsigned(got))
	}
	return err
}

// colorTolerance is the tolerance of color comparisons.
const colorTolerance = 0.01

func (r *scriptRunner) probeColor(c []string) error {
	if r.fb == nil {
		return &Unsupported{"probe of the window"}
	}
	x0, y0 := uint32(0), uint32(0)
	x1, y1 := r.fb.width, r.fb.height
	kindOf, words := c[0], c[1:]
	if kindOf == "all" || kindOf == "rect" {
		if len(words) == 0 {
			return &Unsupported{"probe " + kindOf}
		}
		kindOf, words = words[0], words[1:]
	}
	if c[0] != "all" {
		var err error
		if x0, y0, x1, y1, words, err = r.region(words, c[0] == "rect"); err != nil {
			return err
		}
	}
	channels := len(kindOf)
	if kindOf != "rgb" && kindOf != "rgba" {
		return &Unsupported{"probe " + kindOf}
	}
	want, err := floats(words)
	if err != nil || len(want) < channels {
		return &Unsupported{"probe " + kindOf}
	}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			got, ok := r.fb.get(x, y)
			if !ok {
				return &Unsupported{"probe of another format"}
			}
			for i := range channels {
				if math.Abs(got[i]-want[i]) > r.tolerance[i] || got[i] != got[i] {
					return fmt.Errorf("texel %d, %d is %v", x, y, got)
				}
			}
		}
	}
	return nil
}
