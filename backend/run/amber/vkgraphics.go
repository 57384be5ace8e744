// SPDX-License-Identifier: MIT

package amber

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/generated/kind"
)

// vkGraphics is the part of a VkScript for drawing: shaders, vertices, and the state that commands change between
// draws.
type vkGraphics struct {
	vertex, fragment runner.Stage
	format, depth    string // formats of the framebuffer
	width, height    int
	attributes       []runner.VertexData
	indices          *runner.Buffer
	state            runner.Graphics
	blend            draw.Blend
	frame            *runner.Pipeline // the framebuffer, which is cleared and drawn to
}

// stageOf returns the graphics stage that a word names, or nil and compute if it names none.
func (g *vkGraphics) stageOf(word string) (*runner.Stage, kind.Stage) {
	switch word {
	case "vertex":
		return &g.vertex, kind.StageVertex
	case "fragment":
		return &g.fragment, kind.StageFragment
	}
	return nil, kind.StageCompute
}

// graphicsShader reads a section with a vertex or fragment shader.
func (p *vkParser) graphicsShader(word, format, body string, line int) error {
	st, stage := p.graphics.stageOf(word)
	pos := runner.Pos{Line: line, Col: 1}
	s := &runner.Shader{Name: word, Stage: stage, TargetEnv: "spv1.0", AnyEnv: true, Source: body, Line: line + 1, Pos: pos}
	if word == "vertex" && format == "passthrough" {
		s.Source = passthrough
	} else {
		f, ok := vkFormats[format]
		if !ok {
			return p.errorf(pos, "unknown shader format '%s'", format)
		}
		if s.Format = f; strings.TrimSpace(body) == "" {
			return p.errorf(pos, "the shader is empty")
		}
	}
	if st.Shader != nil {
		return p.errorf(pos, "duplicate %s shader", word)
	}
	*st = runner.Stage{Shader: s, Entry: "main"}
	p.script.Shaders = append(p.script.Shaders, s)
	if s.Format == runner.SPIRVHex {
		q := parser{script: p.script, lexer: lexer{meter: p.meter}}
		return q.hexWords(s)
	}
	return nil
}

// raw adds a buffer that the script does not name: scalars with the given contents.
func (p *vkParser) raw(name string, scalar runner.Scalar, data []byte, pos runner.Pos) *runner.Buffer {
	n := scalar.Bytes()
	t := &runner.Type{Name: name, Scalar: scalar, Rows: 1, Cols: 1}
	b := &runner.Buffer{Name: name, Pos: pos, Type: t,
		Layout: &runner.Layout{Size: n, Segments: []runner.Segment{{Scalar: scalar}}}, Count: len(data) / n}
	b.Init.Raw = data
	p.script.Buffers = append(p.script.Buffers, b)
	return b
}

// indexSection reads the numbers of the section [indices].
func (p *vkParser) indexSection(body string, line int) error {
	if p.graphics.indices != nil {
		return p.errorf(runner.Pos{Line: line - 1, Col: 1}, "duplicate section [indices]")
	}
	l := lexer{src: body, line: line, meter: p.meter}
	var data []byte
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if t.kind == tokEOL {
			continue
		}
		n, err := p.number(t, "an index", maxUint32)
		if err != nil {
			return err
		}
		if data = append(data, byte(n), byte(n>>8), byte(n>>16), byte(n>>24)); len(data) > maxBytes {
			return p.errorf(t.pos, "too many indices")
		}
	}
	p.graphics.indices = p.raw("indices", runner.Uint32, data, runner.Pos{Line: line, Col: 1})
	return nil
}

// glTypes are the names of components in [vertex data].
var glTypes = map[string]string{
	"byte": "8_SINT", "ubyte": "8_UINT", "short": "16_SINT", "ushort": "16_UINT", "int": "32_SINT", "uint": "32_UINT", "half": "16_SFLOAT", "float": "32_SFLOAT",
}

// vertexHeader reads location/format or location/type/GLSL type.
func (p *vkParser) vertexHeader(t token) (*draw.Attribute, *runner.Layout, error) {
	parts := strings.Split(t.text, "/")
	n, err := strconv.ParseUint(parts[0], 10, 5)
	if err != nil || len(parts) < 2 || len(parts) > 3 {
		return nil, nil, p.errorf(t.pos, "a vertex attribute is location/format or location/type/GLSL type, not %s", t)
	}
	name := parts[1]
	if len(parts) == 3 {
		component, bits := glTypes[parts[1]], ""
		if component == "" {
			return nil, nil, p.errorf(t.pos, "unknown vertex data type '%s'", parts[1])
		}
		size, numeric, _ := strings.Cut(component, "_")
		typ, ok := vkType(parts[2])
		if !ok || typ.Cols != 1 {
			return nil, nil, p.errorf(t.pos, "unknown vertex data type '%s'", parts[2])
		}
		for _, c := range "RGBA"[:typ.Rows] {
			bits += string(c) + size
		}
		name = bits + "_" + numeric
	}
	_, l, f := runner.FormatType(name)
	if f == nil {
		return nil, nil, p.errorf(t.pos, "unknown vertex data format '%s'", name)
	}
	return &draw.Attribute{Location: uint32(n), Format: f}, l, nil
}

// vertexSection reads the section [vertex data]: a row of attributes, then a row for each vertex.
func (p *vkParser) vertexSection(body string, line int) error {
	if len(p.graphics.attributes) > 0 {
		return p.errorf(runner.Pos{Line: line - 1, Col: 1}, "duplicate section [vertex data]")
	}
	l := lexer{src: body, line: line, meter: p.meter}
	t := l.next()
	for t.kind == tokEOL {
		t = l.next()
	}
	var layouts []*runner.Layout
	stride := 0
	for ; !t.ends(); t = l.next() {
		a, layout, err := p.vertexHeader(t)
		if err != nil {
			return err
		}
		a.Offset = stride
		stride += runner.RoundUp(layout.Size, 4)
		p.graphics.attributes, layouts = append(p.graphics.attributes, runner.VertexData{State: *a}), append(layouts, layout)
	}
	var data []byte
	for t = l.next(); t.kind != tokEOF; t = l.next() {
		if t.kind == tokEOL {
			continue
		}
		vertex := make([]byte, stride)
		for i, layout := range layouts {
			for _, seg := range layout.Segments {
				n, why := runner.Literal(t.text, seg.Scalar)
				if why != "" {
					return p.errorf(t.pos, "vertex data: %s %s", t, why)
				}
				n.Store(vertex[p.graphics.attributes[i].State.Offset+seg.Offset:], seg.Scalar)
				t = l.next()
			}
		}
		if !t.ends() {
			return p.errorf(t.pos, "a row of vertex data has more values than its attributes")
		}
		if data = append(data, vertex...); len(data) > maxBytes {
			return p.errorf(t.pos, "too many vertices")
		}
		if t.kind == tokEOF {
			break
		}
	}
	b := p.raw("vertex data", runner.Uint8, data, runner.Pos{Line: line, Col: 1})
	for i := range p.graphics.attributes {
		a := &p.graphics.attributes[i]
		a.Buffer, a.State.Stride = b, stride
	}
	return nil
}

// framePipeline returns the pipeline that owns the framebuffer. The first call creates it.
func (p *vkParser) framePipeline(pos runner.Pos) (*runner.Pipeline, error) {
	g := &p.graphics
	if g.frame != nil {
		return g.frame, nil
	}
	image := func(format string) (*runner.Buffer, error) {
		t, l, f := runner.FormatType(format)
		if f == nil {
			return nil, p.errorf(pos, "unknown framebuffer format '%s'", format)
		}
		b := &runner.Buffer{Name: format, Type: t, Layout: l, Count: g.width * g.height, Pos: pos}
		b.Image = &runner.Image{Format: f, Dim: kind.Dim2D, Width: uint32(g.width), Height: uint32(g.height), Depth: 1,
			Levels: 1, Samples: 1}
		if b.Image.Bytes() > maxBytes/2 {
			return nil, p.errorf(pos, "the framebuffer is too big: the buffers of a script may have at most %d MiB in total", maxBytes>>20)
		}
		p.script.Buffers = append(p.script.Buffers, b)
		return b, nil
	}
	color, err := image(g.format)
	if err != nil {
		return nil, err
	}
	out := &runner.Graphics{Width: g.width, Height: g.height, Colors: []runner.ColorTarget{{Buffer: color}}}
	if out.DepthStencil, err = image(g.depth); err != nil {
		return nil, err
	}
	g.frame = &runner.Pipeline{Name: "framebuffer", Graphics: out, Pos: pos}
	return g.frame, nil
}

// drawn adds a draw with the current state.
func (p *vkParser) drawn(cmd token, geometry *runner.Geometry) error {
	frame, err := p.framePipeline(cmd.pos)
	if err != nil {
		return err
	}
	g := &p.graphics
	if g.vertex.Shader == nil {
		return p.errorf(cmd.pos, "no vertex shader to draw with")
	}
	state := g.state
	state.Vertex, state.Fragment = g.vertex, g.fragment
	state.Attributes, state.Indices = g.attributes, g.indices
	state.Width, state.Height, state.DepthStencil = g.width, g.height, frame.Graphics.DepthStencil
	state.Colors = []runner.ColorTarget{{Buffer: frame.Graphics.Colors[0].Buffer, Blend: g.blend}}
	pl := &runner.Pipeline{Name: fmt.Sprintf("draw %d", len(p.runs)), Graphics: &state, Pos: cmd.pos}
	p.runs = append(p.runs, pl)
	p.out = append(p.out, &runner.RunCommand{Pipeline: pl, Draw: geometry, Pos: cmd.pos})
	return nil
}

// draw reads draw rect [ortho] x y w h and draw arrays [indexed] [instanced] topology first count
// [instances].
func (p *vkParser) draw(cmd token) error {
	switch t := p.next(); t.text {
	case "rect":
		return p.vkRect(cmd)
	case "arrays":
		return p.vkArrays(cmd)
	default:
		return p.errorf(t.pos, "expected draw rect or draw arrays, found %s", t)
	}
}

func (p *vkParser) vkRect(cmd token) error {
	ortho := false
	if p.peek().is("ortho") {
		p.next()
		ortho = true
	}
	var at [4]float64
	for i := range at {
		t := p.next()
		v, ok := runner.ParseFloat(t.text)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return p.errorf(t.pos, "draw rect needs four numbers, not %s", t)
		}
		at[i] = v
	}
	g := &runner.Geometry{Topology: draw.TriangleStrip, Count: 4, Instances: 1, Rectangle: true}
	w, h := float64(p.graphics.width), float64(p.graphics.height)
	if !ortho { // from clip coordinates
		at = [4]float64{(at[0] + 1) / 2 * w, (at[1] + 1) / 2 * h, at[2] / 2 * w, at[3] / 2 * h}
	}
	g.X, g.Y = float32(at[0]), float32(at[1])
	g.Wide, g.High = float32(at[2]), float32(at[3])
	if err := p.drawn(cmd, g); err != nil {
		return err
	}
	return p.endOfLine(cmd)
}

// glTopologies are the other names of topologies.
var glTopologies = map[string]string{
	"GL_LINE_STRIP_ADJACENCY": "LINE_STRIP_WITH_ADJACENCY", "GL_LINE_STRIP": "LINE_STRIP", "GL_LINES": "LINE_LIST", "GL_LINES_ADJACENCY": "LINE_LIST_WITH_ADJACENCY",
	"GL_PATCHES": "PATCH_LIST", "GL_POINTS": "POINT_LIST", "GL_TRIANGLE_STRIP": "TRIANGLE_STRIP", "GL_TRIANGLE_FAN": "TRIANGLE_FAN", "GL_TRIANGLES": "TRIANGLE_LIST",
	"GL_TRIANGLES_ADJACENCY": "TRIANGLE_LIST_WITH_ADJACENCY", "GL_TRIANGLE_STRIP_ADJACENCY": "TRIANGLE_STRIP_WITH_ADJACENCY",
}

func (p *vkParser) vkArrays(cmd token) error {
	g := &runner.Geometry{Instances: 1}
	instanced := false
	t := p.next()
	for ; t.is("indexed") || t.is("instanced"); t = p.next() {
		g.Indexed, instanced = g.Indexed || t.is("indexed"), instanced || t.is("instanced")
	}
	name := t.text
	if other := glTopologies[name]; other != "" {
		name = other
	}
	top, ok := topologies[name]
	switch {
	case !ok:
		return p.errorf(t.pos, "unknown topology %s", t)
	case top.why != "":
		return p.errorf(t.pos, "draw arrays %s: %s", t.text, top.why)
	case g.Indexed && p.graphics.indices == nil:
		return p.errorf(t.pos, "section [indices] is missing")
	}
	g.Topology = top.topology
	list := []*uint32{&g.First, &g.Count}
	if instanced {
		list = append(list, &g.Instances)
	}
	for _, to := range list {
		n, err := p.number(p.next(), "a number of vertices or instances", maxUint32)
		if err != nil {
			return err
		}
		*to = uint32(n)
	}
	if g.Indexed { // the indices start at the first one; the given number is added to them
		g.First, g.VertexOffset = 0, g.First
	}
	if err := p.drawn(cmd, g); err != nil {
		return err
	}
	return p.endOfLine(cmd)
}

// clear reads clear, clear color r g b a, clear depth d and clear stencil s.
func (p *vkParser) clear(cmd token) error {
	frame, err := p.framePipeline(cmd.pos)
	if err != nil {
		return err
	}
	t := p.next()
	if t.ends() {
		p.out = append(p.out, &runner.ClearCommand{Pipeline: frame, Pos: cmd.pos})
		return nil
	}
	c := &runner.ClearValue{Pipeline: frame, Pos: cmd.pos}
	n := 1
	switch t.text {
	case "color":
		n = 4
	case "depth":
		c.Part = runner.ClearDepth
	case "stencil":
		c.Part = runner.ClearStencil
	default:
		return p.errorf(t.pos, "clear %s is unknown", t)
	}
	for i := range n {
		t := p.next()
		v, ok := runner.ParseFloat(t.text)
		if !ok {
			return p.errorf(t.pos, "a number is expected, not %s", t)
		}
		c.Value[i], c.Stencil = float32(v), uint8(min(max(v, 0), 255))
	}
	p.out = append(p.out, c)
	return p.endOfLine(cmd)
}

// probeColor reads the rest of [relative] probe [rect | all] (rgb | rgba) (x, y[, w, h]) (r, g, b[, a]).
func (p *vkParser) probeColor(cmd, t token, relative bool) error {
	frame, err := p.framePipeline(cmd.pos)
	if err != nil {
		return err
	}
	c := &runner.ExpectTexels{Buffer: frame.Graphics.Colors[0].Buffer, Width: p.graphics.width, Height: p.graphics.height, Pos: cmd.pos}
	shape := t.text
	if shape == "rect" || shape == "all" {
		t = p.next()
	}
	components := map[string]int{"rgb": 3, "rgba": 4}[t.text]
	if components == 0 {
		return p.errorf(t.pos, "probe needs ssbo, rgb or rgba, not %s", t)
	}
	places := map[string]int{"rect": 4, "all": 0, "rgb": 2, "rgba": 2}
	var values []float64
	for t = p.next(); !t.ends(); t = p.next() {
		for _, word := range strings.FieldsFunc(t.text, func(r rune) bool { return strings.ContainsRune("(),", r) }) {
			v, ok := runner.ParseFloat(word)
			if !ok {
				return p.errorf(t.pos, "a number is expected, not %s", t)
			}
			values = append(values, v)
		}
	}
	n := places[shape]
	if len(values) != n+components {
		return p.errorf(cmd.pos, "probe %s has %d numbers, but needs %d", shape, len(values), n+components)
	}
	c.Color = values[n:]
	if base := c.Buffer.Image.Format.Base; base == kind.BaseUint || base == kind.BaseInt {
		for i := range c.Color {
			c.Color[i] /= 255 // the script gives integers
		}
	}
	for _, t := range p.tolerances {
		if !t.Percent {
			t.Value *= 255
		}
		c.Tolerances = append(c.Tolerances, t)
	}
	if n > 0 {
		far := false // outside any framebuffer
		for i := range n {
			if relative {
				values[i] *= float64([]int{p.graphics.width, p.graphics.height}[i%2])
			}
			far = far || !(math.Abs(values[i]) <= 1<<16)
		}
		c.X, c.Y = int(values[0]), int(values[1])
		c.Width, c.Height = 1, 1
		if n == 4 {
			c.Width, c.Height = int(values[2]), int(values[3])
		}
		if far || c.X < 0 || c.Y < 0 || c.Width < 1 || c.Height < 1 || c.X+c.Width > p.graphics.width || c.Y+c.Height > p.graphics.height {
			return p.errorf(cmd.pos, "the rectangle is outside the %dx%d pixels of the framebuffer", p.graphics.width, p.graphics.height)
		}
	}
	p.out = append(p.out, c)
	return nil
}
