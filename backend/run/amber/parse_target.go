// SPDX-License-Identifier: MIT

package amber

import (
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/generated/kind"
)

// target reads the rest of BIND BUFFER … AS color LOCATION n [BASE_MIP_LEVEL l], AS depth_stencil and AS resolve.
func (p *parser) target(pl *runner.Pipeline, as token, bufs []*runner.Buffer) error {
	b := bufs[0]
	if f, err := b.Format(); err == nil && b.Image == nil && pl.Graphics != nil {
		b.Rows = true
		b.Image = &runner.Image{Format: f, Dim: kind.Dim2D, Width: uint32(b.Count), Height: 1, Depth: 1, Levels: 1, Samples: 1}
	}
	switch {
	case pl.Graphics == nil:
		return p.errorf(as.pos, "BIND BUFFER … AS %s: a compute pipeline has no attachments", as.text)
	case len(bufs) > 1:
		return p.errorf(as.pos, "an attachment cannot be an array")
	case b.Image == nil || b.Image.Dim != kind.Dim2D:
		return p.errorf(as.pos, "'%s' cannot be an attachment: it is not a two-dimensional image", b.Name)
	case (b.Image.Format.Depth() || draw.HasStencil(b.Image.Format)) != as.is("depth_stencil"):
		return p.errorf(as.pos, "'%s' has format %s and cannot be bound as %s", b.Name, b.Image.Format.Name, as.text)
	}
	g := pl.Graphics
	switch as.text {
	case "depth_stencil":
		if g.DepthStencil != nil && g.DepthStencil != b {
			return p.errorf(as.pos, "a pipeline has only one depth_stencil buffer, and '%s' is already bound", g.DepthStencil.Name)
		}
		g.DepthStencil = b
		return p.endOfLine("BIND BUFFER")
	case "resolve":
		if b.Image.Samples > 1 {
			return p.errorf(as.pos, "'%s' cannot be a resolve target: it is multisampled", b.Name)
		}
		g.Resolves = append(g.Resolves, b)
		return p.endOfLine("BIND BUFFER")
	}
	return p.colorTarget(g, as, b)
}

// colorTarget reads LOCATION n [BASE_MIP_LEVEL l].
func (p *parser) colorTarget(g *runner.Graphics, as token, b *runner.Buffer) error {
	if err := p.keyword("LOCATION"); err != nil {
		return err
	}
	n, err := p.uint("LOCATION", draw.MaxColors-1)
	if err != nil {
		return err
	}
	c := runner.ColorTarget{Buffer: b, Location: uint32(n)}
	t := p.next()
	if t.is("BASE_MIP_LEVEL") {
		l, err := p.uint(t.text, uint64(b.Image.Levels)-1)
		if err != nil {
			return err
		}
		c.Level = int(l)
		t = p.next()
	}
	if !t.ends() {
		return p.errorf(t.pos, "nothing may follow BIND BUFFER on its line, found %s", t)
	}
	for i, old := range g.Colors {
		if old.Location == c.Location {
			if old.Buffer != b {
				return p.errorf(as.pos, "location %d already has the color attachment '%s'", n, old.Buffer.Name)
			}
			g.Colors[i] = c
			return nil
		}
	}
	g.Colors = append(g.Colors, c)
	return nil
}

// finishGraphics checks a graphics pipeline at its END and sizes its attachments.
func (p *parser) finishGraphics(pl *runner.Pipeline, cmd token) error {
	g := pl.Graphics
	for _, k := range []kind.Stage{kind.StageVertex, kind.StageFragment} {
		if g.Stage(k).Shader == nil {
			return p.errorf(cmd.pos, "%s %s has no %s shader: ATTACH is missing", cmd.text, pl.Name, k)
		}
	}
	if len(g.Colors) == 0 { // the language then implies a color attachment without a name
		g.Colors = append(g.Colors, runner.ColorTarget{Buffer: p.unnamed(pl.Name+" framebuffer", "B8G8R8A8_UNORM", cmd.pos)})
	}
	samples := g.Colors[0].Buffer.Image.Samples
	if !pl.Framed {
		shrink(g, pl)
	}
	g.Width, g.Height = pl.Frame[0], pl.Frame[1]
	if g.DepthStencil == nil && usesDepth(g) { // the language implies a depth_stencil buffer too
		g.DepthStencil = p.unnamed(pl.Name+" depth_stencil", "D32_SFLOAT_S8_UINT", cmd.pos)
		g.DepthStencil.Image.Samples = samples
	}
	for i := range g.Colors {
		g.Colors[i].Blend = g.Blend
	}
	for _, t := range g.Targets() {
		if err := p.size(pl, cmd, t.Buffer, t.Level); err != nil {
			return err
		}
		m := t.Buffer.Image
		if int(max(m.Width>>t.Level, 1)) < g.Width || int(max(m.Height>>t.Level, 1)) < g.Height {
			return p.errorf(cmd.pos, "the attachment '%s' has %dx%d texels, but the framebuffer of %s has %dx%d", t.Buffer.Name,
				max(m.Width>>t.Level, 1), max(m.Height>>t.Level, 1), pl.Name, g.Width, g.Height)
		}
		if !t.Resolve && m.Samples != samples {
			return p.errorf(cmd.pos, "the attachments of %s have different numbers of samples: '%s' has %d, '%s' has %d", pl.Name,
				g.Colors[0].Buffer.Name, samples, t.Buffer.Name, m.Samples)
		}
	}
	if samples > draw.MaxSamples {
		return p.errorf(cmd.pos, "attachments of %d samples are not supported; there can be up to %d", samples, draw.MaxSamples)
	}
	if n := g.Multisampled(); len(g.Resolves) > n {
		return p.errorf(cmd.pos, "%s has %d resolve targets, but only %d multisampled color attachments", pl.Name, len(g.Resolves), n)
	}
	return nil
}

// shrink reduces the framebuffer of a pipeline, for which the script gives no size, to the size that all its attachments
// have at least. Attachments that get their size from the framebuffer do not count.
func shrink(g *runner.Graphics, pl *runner.Pipeline) {
	for _, t := range g.Targets() {
		if m := t.Buffer.Image; !t.Buffer.Unsized && !t.Buffer.Rows {
			pl.Frame = [2]int{min(pl.Frame[0], int(max(m.Width>>t.Level, 1))), min(pl.Frame[1], int(max(m.Height>>t.Level, 1)))}
		}
	}
}

// usesDepth reports whether a pipeline tests depths or stencil values.
func usesDepth(g *runner.Graphics) bool { return g.Depth.Test || g.Depth.Bounds || g.Stencil.Test }

// unnamed returns an image of a pipeline that the script does not declare.
func (p *parser) unnamed(name, format string, pos runner.Pos) *runner.Buffer {
	b := &runner.Buffer{Name: name, Pos: pos, Unsized: true}
	b.Type, b.Layout, _ = runner.FormatType(format)
	b.Image = &runner.Image{Format: b.Type.Format, Dim: kind.Dim2D, Depth: 1, Levels: 1, Samples: 1}
	p.script.Buffers = append(p.script.Buffers, b)
	return b
}

// size sizes an image without a size so that the given level has the size of the pipeline's framebuffer, and arranges the
// elements of a buffer that is used as an attachment in rows.
func (p *parser) size(pl *runner.Pipeline, cmd token, b *runner.Buffer, level int) error {
	m := b.Image
	if b.Rows {
		if b.Count != pl.Frame[0]*pl.Frame[1] {
			return p.errorf(cmd.pos, "'%s' has %d elements, but the framebuffer of %s has %dx%d pixels", b.Name, b.Count, pl.Name,
				pl.Frame[0], pl.Frame[1])
		}
		m.Width, m.Height = uint32(pl.Frame[0]), uint32(pl.Frame[1])
	}
	if !b.Unsized {
		return nil
	}
	p.bytes -= m.Bytes()
	m.Width, m.Height = uint32(pl.Frame[0])<<level, uint32(pl.Frame[1])<<level
	b.Count, b.Unsized = int(m.Width)*int(m.Height), false
	if uint64(m.Width)*uint64(m.Height) > maxBytes || m.Bytes() > maxBytes-p.bytes {
		return p.errorf(cmd.pos, "the images of %s are too big: the buffers of a script may have at most %d MiB in total",
			pl.Name, maxBytes>>20)
	}
	p.bytes += m.Bytes()
	return nil
}

// sizeBinds sizes the images without a size that a pipeline's shaders access, and sets the sizes of image bindings.
func (p *parser) sizeBinds(pl *runner.Pipeline, cmd token) error {
	for i := range pl.Binds {
		b := &pl.Binds[i]
		if b.Buffer == nil || !b.Kind.IsImage() {
			continue
		}
		if err := p.size(pl, cmd, b.Buffer, b.BaseLevel); err != nil {
			return err
		}
		b.Size = b.Buffer.Memory()
	}
	return nil
}
