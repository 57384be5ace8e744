package amber

import (
	"fmt"

	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// passthrough is the vertex shader of SHADER vertex … PASSTHROUGH.
const passthrough = `#version 430
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
`

// isGraphics rejects a command for the pipelines that do not have it.
func (p *parser) isGraphics(pl *Pipeline, cmd token) error {
	if pl.Graphics == nil {
		return p.errorf(cmd.pos, "%s: a compute pipeline has none", cmd.text)
	}
	return nil
}

// framebufferSizeCommand reads FRAMEBUFFER_SIZE width height.
func (p *parser) framebufferSizeCommand(pl *Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	for _, to := range []*int{&pl.Graphics.Width, &pl.Graphics.Height} {
		n, err := p.extent(cmd.text)
		if err != nil {
			return err
		}
		*to = int(n)
	}
	return p.endOfLine(cmd.text)
}

// viewport reads VIEWPORT x y SIZE w h [MIN_DEPTH d] [MAX_DEPTH d].
func (p *parser) viewport(pl *Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	v := &draw.Viewport{MaxDepth: 1}
	for _, to := range []*float32{&v.X, &v.Y} {
		if err := p.float32(cmd.text, to); err != nil {
			return err
		}
	}
	if err := p.keyword("SIZE"); err != nil {
		return err
	}
	for _, to := range []*float32{&v.Width, &v.Height} {
		if err := p.float32("SIZE", to); err != nil {
			return err
		}
	}
	for t := p.next(); !t.ends(); t = p.next() {
		to := map[string]*float32{"MIN_DEPTH": &v.MinDepth, "MAX_DEPTH": &v.MaxDepth}[t.text]
		if to == nil {
			return p.errorf(t.pos, "unknown word %s in VIEWPORT", t)
		}
		if err := p.float32(t.text, to); err != nil {
			return err
		}
	}
	pl.Graphics.Viewport = v
	return nil
}

// vertexData reads VERTEX_DATA buffer LOCATION n [RATE vertex|instance] [FORMAT f]
// [OFFSET n] [STRIDE n].
func (p *parser) vertexData(pl *Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	b, pos, err := p.bufferName("the buffer of VERTEX_DATA")
	if err != nil {
		return err
	}
	if err := p.keyword("LOCATION"); err != nil {
		return err
	}
	n, err := p.uint("LOCATION", 31)
	if err != nil {
		return err
	}
	a := VertexData{Buffer: b, State: draw.Attribute{Location: uint32(n), Stride: b.Layout.Size}}
	for _, old := range pl.Graphics.Attributes {
		if old.State.Location == a.State.Location {
			return p.errorf(pos, "location %d already has vertex data", n)
		}
	}
	for t := p.next(); !t.ends(); t = p.next() {
		switch {
		case t.is("RATE"):
			err = choice(p, t.text, map[string]bool{"vertex": false, "instance": true}, &a.State.Instance)
		case t.is("FORMAT"):
			err = p.vertexFormat(&a.State)
		case t.is("OFFSET"):
			err = p.small(t.text, &a.State.Offset)
		case t.is("STRIDE"):
			err = p.small(t.text, &a.State.Stride)
		default:
			return p.errorf(t.pos, "unknown word %s in VERTEX_DATA", t)
		}
		if err != nil {
			return err
		}
	}
	if a.State.Format == nil {
		if a.State.Format, err = b.vectorFormat(); err != nil {
			return p.errorf(pos, "%s", err)
		}
	}
	pl.Graphics.Attributes = append(pl.Graphics.Attributes, a)
	return p.hold(pos, 1)
}

// vertexFormat reads the format of an attribute.
func (p *parser) vertexFormat(a *draw.Attribute) error {
	name, err := p.word("the format of VERTEX_DATA")
	if err != nil {
		return err
	}
	if a.Format, err = texture.Named(name.text); err != nil {
		return p.errorf(name.pos, "%s", err)
	}
	return nil
}

// small reads a number of bytes.
func (p *parser) small(what string, to *int) error {
	n, err := p.uint(what, 1<<16)
	*to = int(n)
	return err
}

// indexData reads INDEX_DATA buffer.
func (p *parser) indexData(pl *Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	b, pos, err := p.bufferName("the buffer of INDEX_DATA")
	if err != nil {
		return err
	}
	segs := b.Layout.Segments
	if len(segs) != 1 || segs[0].Scalar.IsFloat() || b.Layout.Size != segs[0].Scalar.Bytes() || b.Layout.Size > 4 {
		return p.errorf(pos, "indices are integers of 1, 2 or 4 bytes, not the %s of '%s'", b.Type.Name, b.Name)
	}
	if g := pl.Graphics; g.Indices != nil && g.Indices != b {
		return p.errorf(pos, "a pipeline has only one INDEX_DATA, and '%s' is already set", g.Indices.Name)
	}
	pl.Graphics.Indices = b
	return p.endOfLine(cmd.text)
}

// target reads the rest of BIND BUFFER … AS color LOCATION n and AS depth_stencil.
func (p *parser) target(pl *Pipeline, as token, bufs []*Buffer) error {
	b := bufs[0]
	switch {
	case pl.Graphics == nil:
		return p.errorf(as.pos, "BIND BUFFER … AS %s: a compute pipeline has no attachments", as.text)
	case len(bufs) > 1:
		return p.errorf(as.pos, "an attachment cannot be an array")
	case b.Image == nil || b.Image.Dim != kind.Dim2D || b.Image.Samples > 1:
		return p.errorf(as.pos, "'%s' cannot be an attachment: it is no image of two dimensions with one sample", b.Name)
	case b.Image.Format.Depth() != as.is("depth_stencil"):
		return p.errorf(as.pos, "'%s' has format %s and cannot be bound as %s", b.Name, b.Image.Format.Name, as.text)
	}
	g := pl.Graphics
	if as.is("depth_stencil") {
		if g.DepthStencil != nil && g.DepthStencil != b {
			return p.errorf(as.pos, "a pipeline has only one depth_stencil buffer, and '%s' is already bound", g.DepthStencil.Name)
		}
		g.DepthStencil = b
		return p.endOfLine("BIND BUFFER")
	}
	if err := p.keyword("LOCATION"); err != nil {
		return err
	}
	n, err := p.uint("LOCATION", draw.MaxColors-1)
	if err != nil {
		return err
	}
	for _, c := range g.Colors {
		if c.Location == uint32(n) && c.Buffer != b {
			return p.errorf(as.pos, "location %d already has the color attachment '%s'", n, c.Buffer.Name)
		}
	}
	g.Colors = append(g.Colors, ColorTarget{Buffer: b, Location: uint32(n)})
	return p.endOfLine("BIND BUFFER")
}

// depthSwitch returns the switch that a word of a DEPTH block sets.
func (g *Graphics) depthSwitch(word string) *bool {
	switch word {
	case "TEST":
		return &g.Depth.Test
	case "WRITE":
		return &g.Depth.Write
	case "CLAMP":
		return &g.DepthClamp
	}
	return nil
}

// depth reads DEPTH … END.
func (p *parser) depth(pl *Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	for {
		t := p.next()
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "DEPTH has no END")
		case t.kind == tokEOL:
			continue
		case t.is("END"):
			return p.endOfLine("END")
		case t.is("BOUNDS"), t.is("BIAS"):
			return p.errorf(t.pos, "%s in DEPTH is not supported yet", t.text)
		}
		var err error
		if to := pl.Graphics.depthSwitch(t.text); to != nil {
			err = choice(p, t.text, switches, to)
		} else if t.is("COMPARE_OP") {
			err = choice(p, t.text, compares, &pl.Graphics.Depth.Compare)
		} else {
			err = p.errorf(t.pos, "unknown command %s in DEPTH", t)
		}
		if err != nil {
			return err
		}
	}
}

// blendFactors and blendOps are the words of a BLEND block.
var (
	blendFactors = map[string]draw.Factor{
		"zero": draw.Zero, "one": draw.One, "src_color": draw.SrcColor, "one_minus_src_color": draw.OneMinusSrcColor,
		"dst_color": draw.DstColor, "one_minus_dst_color": draw.OneMinusDstColor, "src_alpha": draw.SrcAlpha,
		"one_minus_src_alpha": draw.OneMinusSrcAlpha, "dst_alpha": draw.DstAlpha, "one_minus_dst_alpha": draw.OneMinusDstAlpha,
		"src_alpha_saturate": draw.SrcAlphaSaturate,
	}
	blendOps = map[string]draw.BlendOp{
		"add": draw.Add, "substract": draw.Subtract, "reverse_substract": draw.ReverseSubtract, "min": draw.Min, "max": draw.Max,
	}
)

// blend reads BLEND … END. It applies to all color attachments.
func (p *parser) blend(pl *Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	b := &draw.Blend{
		Enabled: true,
		Color:   draw.Equation{Src: draw.SrcAlpha, Dst: draw.OneMinusSrcAlpha},
		Alpha:   draw.Equation{Src: draw.SrcAlpha, Dst: draw.OneMinusSrcAlpha},
	}
	for {
		t := p.next()
		var err error
		switch t.text {
		case "SRC_COLOR_FACTOR":
			err = choice(p, t.text, blendFactors, &b.Color.Src)
		case "DST_COLOR_FACTOR":
			err = choice(p, t.text, blendFactors, &b.Color.Dst)
		case "COLOR_OP":
			err = choice(p, t.text, blendOps, &b.Color.Op)
		case "SRC_ALPHA_FACTOR":
			err = choice(p, t.text, blendFactors, &b.Alpha.Src)
		case "DST_ALPHA_FACTOR":
			err = choice(p, t.text, blendFactors, &b.Alpha.Dst)
		case "ALPHA_OP":
			err = choice(p, t.text, blendOps, &b.Alpha.Op)
		default:
			switch {
			case t.kind == tokEOF:
				return p.errorf(cmd.pos, "BLEND has no END")
			case t.kind == tokEOL:
				continue
			case t.is("END"):
				pl.Graphics.blend = *b
				return p.endOfLine("END")
			}
			err = p.errorf(t.pos, "unknown command %s in BLEND", t)
		}
		if err != nil {
			return err
		}
	}
}

// finishGraphics checks a graphics pipeline at its END and sizes its attachments.
func (p *parser) finishGraphics(pl *Pipeline, cmd token) error {
	g := pl.Graphics
	for _, k := range []kind.Stage{kind.StageVertex, kind.StageFragment} {
		if g.stage(k).Shader == nil {
			return p.errorf(cmd.pos, "%s %s has no %s shader: ATTACH is missing", cmd.text, pl.Name, k)
		}
	}
	if len(g.Colors) == 0 { // the language has a color attachment without a name then
		b := &Buffer{Name: pl.Name + " framebuffer", pos: cmd.pos, unsized: true}
		b.Type, b.Layout, _ = formatType("B8G8R8A8_UNORM")
		m := &Image{Format: b.Type.format, Dim: kind.Dim2D, Depth: 1, Levels: 1, Samples: 1}
		b.Image = m
		p.script.Buffers = append(p.script.Buffers, b)
		g.Colors = append(g.Colors, ColorTarget{Buffer: b})
	}
	for i := range g.Colors {
		g.Colors[i].Blend = g.blend
	}
	for _, b := range g.attachments() {
		m := b.Image
		if b.unsized {
			p.bytes -= m.Bytes()
			m.Width, m.Height = uint32(g.Width), uint32(g.Height)
			b.Count, b.unsized = g.Width*g.Height, false
			if m.Bytes() > maxBytes-p.bytes {
				return p.errorf(cmd.pos, "the attachments of %s are too big: the buffers of a script may have at most %d MiB in total", pl.Name, maxBytes>>20)
			}
			p.bytes += m.Bytes()
		}
		if int(m.Width) < g.Width || int(m.Height) < g.Height {
			return p.errorf(cmd.pos, "the attachment '%s' has %dx%d texels, the framebuffer of %s %dx%d", b.Name, m.Width, m.Height, pl.Name, g.Width, g.Height)
		}
	}
	return nil
}

// graphicsNamed reads the name of a graphics pipeline.
func (p *parser) graphicsNamed(cmd string) (*Pipeline, error) {
	name, err := p.word("the pipeline of " + cmd)
	if err != nil {
		return nil, err
	}
	pl := p.pipelines[name.text]
	switch {
	case pl == nil:
		return nil, p.errorf(name.pos, "unknown pipeline %s", name)
	case pl.Graphics == nil:
		return nil, p.errorf(name.pos, "%s needs a graphics pipeline, and %s is none", cmd, pl.Name)
	}
	return pl, nil
}

// clear reads CLEAR pipeline.
func (p *parser) clear(cmd token) error {
	pl, err := p.graphicsNamed("CLEAR")
	if err != nil {
		return err
	}
	*p.out = append(*p.out, &ClearCommand{Pipeline: pl, pos: cmd.pos})
	return p.endOfLine("CLEAR")
}

// clearColor reads CLEAR_COLOR pipeline r g b a, from 0 to 255.
func (p *parser) clearColor(cmd token) error {
	pl, err := p.graphicsNamed("CLEAR_COLOR")
	if err != nil {
		return err
	}
	c := &ClearValue{Pipeline: pl, pos: cmd.pos}
	for i := range c.Value {
		n, err := p.uint("a color", 255)
		if err != nil {
			return err
		}
		c.Value[i] = float32(n) / 255
	}
	*p.out = append(*p.out, c)
	return p.endOfLine("CLEAR_COLOR")
}

// clearDepth reads CLEAR_DEPTH pipeline value.
func (p *parser) clearDepth(cmd token) error {
	pl, err := p.graphicsNamed("CLEAR_DEPTH")
	if err != nil {
		return err
	}
	c := &ClearValue{Pipeline: pl, Depth: true, pos: cmd.pos}
	if err := p.float32("CLEAR_DEPTH", &c.Value[0]); err != nil {
		return err
	}
	*p.out = append(*p.out, c)
	return p.endOfLine("CLEAR_DEPTH")
}

// topologies are the words after AS of DRAW_ARRAY; why is set for unsupported ones.
var topologies = map[string]struct {
	topology draw.Topology
	why      string
}{
	"TRIANGLE_LIST":                 {topology: draw.TriangleList},
	"TRIANGLE_STRIP":                {topology: draw.TriangleStrip},
	"TRIANGLE_FAN":                  {topology: draw.TriangleFan},
	"POINT_LIST":                    {why: "points are not supported yet"},
	"LINE_LIST":                     {why: "lines are not supported yet"},
	"LINE_STRIP":                    {why: "lines are not supported yet"},
	"LINE_LIST_WITH_ADJACENCY":      {why: "geometry shaders are not supported"},
	"LINE_STRIP_WITH_ADJACENCY":     {why: "geometry shaders are not supported"},
	"TRIANGLE_LIST_WITH_ADJACENCY":  {why: "geometry shaders are not supported"},
	"TRIANGLE_STRIP_WITH_ADJACENCY": {why: "geometry shaders are not supported"},
	"PATCH_LIST":                    {why: "tessellation is not supported"},
}

// runGraphics reads the rest of RUN pipeline (DRAW_RECT | DRAW_ARRAY) ….
func (p *parser) runGraphics(c *RunCommand, t token) error {
	switch t.text {
	case "DRAW_RECT":
		if err := p.drawRect(c); err != nil {
			return err
		}
	case "DRAW_ARRAY":
		if err := p.drawArray(c); err != nil {
			return err
		}
	case "DRAW_GRID":
		return p.errorf(t.pos, "RUN … DRAW_GRID is not supported yet")
	default:
		return p.errorf(t.pos, "DRAW_RECT or DRAW_ARRAY is missing, found %s", t)
	}
	*p.out = append(*p.out, c)
	return nil
}

// drawRect reads POS x y SIZE w h.
func (p *parser) drawRect(c *RunCommand) error {
	g := &Geometry{Topology: draw.TriangleStrip, Count: 4, Instances: 1, Rectangle: true}
	c.Draw = g
	for _, part := range []struct {
		word string
		to   [2]*float32
	}{{"POS", [2]*float32{&g.X, &g.Y}}, {"SIZE", [2]*float32{&g.Wide, &g.High}}} {
		if err := p.keyword(part.word); err != nil {
			return err
		}
		for _, to := range part.to {
			if err := p.float32(part.word, to); err != nil {
				return err
			}
		}
	}
	return p.endOfLine("RUN")
}

// drawArray reads AS topology [INDEXED] [START_IDX n] [COUNT n] [START_INSTANCE n]
// [INSTANCE_COUNT n].
func (p *parser) drawArray(c *RunCommand) error {
	if err := p.keyword("AS"); err != nil {
		return err
	}
	name, err := p.word("the topology of DRAW_ARRAY")
	if err != nil {
		return err
	}
	top, ok := topologies[name.text]
	switch {
	case !ok:
		return p.errorf(name.pos, "unknown topology %s", name)
	case top.why != "":
		return p.errorf(name.pos, "RUN … DRAW_ARRAY AS %s: %s", name.text, top.why)
	}
	g := &Geometry{Topology: top.topology, Instances: 1}
	c.Draw = g
	counted := false
	for t := p.next(); !t.ends(); t = p.next() {
		if t.is("INDEXED") {
			if g.Indexed = true; c.Pipeline.Graphics.Indices == nil {
				return p.errorf(t.pos, "%s has no INDEX_DATA", c.Pipeline.Name)
			}
			continue
		}
		to := map[string]*uint32{"START_IDX": &g.First, "COUNT": &g.Count, "START_INSTANCE": &g.FirstInstance, "INSTANCE_COUNT": &g.Instances}[t.text]
		if to == nil {
			return p.errorf(t.pos, "unknown word %s in DRAW_ARRAY", t)
		}
		n, err := p.uint(t.text, maxUint32)
		if err != nil {
			return err
		}
		*to = uint32(n)
		counted = counted || t.is("COUNT")
	}
	if !counted {
		g.Count = c.Pipeline.Graphics.elements(g) - min(g.First, c.Pipeline.Graphics.elements(g))
	}
	return nil
}

// elements returns how many indices, or vertices, a pipeline's buffers have.
func (g *Graphics) elements(what *Geometry) uint32 {
	if what.Indexed {
		return uint32(g.Indices.Count)
	}
	n := uint32(0)
	for i, a := range g.Attributes {
		if k := uint32(a.Buffer.Count); !a.State.Instance && (i == 0 || k < n || n == 0) {
			n = k
		}
	}
	return n
}

// vectorFormat returns the format of a buffer's elements as a vertex attribute.
func (b *Buffer) vectorFormat() (*texture.Format, error) {
	t := b.Type
	switch {
	case t.format != nil:
		return t.format, nil
	case t.Struct || t.Elem != nil || t.Cols != 1:
		return nil, fmt.Errorf("'%s' has type %s, which is not supported as vertex data", b.Name, t.Name)
	}
	return texture.Named(t.vectorName())
}
