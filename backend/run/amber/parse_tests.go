// SPDX-License-Identifier: MIT

package amber

import (
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
)

// depthSwitch returns the switch that a word of a DEPTH block sets, or nil if it sets none.
func depthSwitch(g *runner.Graphics, word string) *bool {
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
func (p *parser) depth(pl *runner.Pipeline, cmd token) error {
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
		}
		var err error
		g := pl.Graphics
		if t.is("BOUNDS") {
			g.Depth.Bounds = true
			err = p.numbered([]string{"min", "max"}, []*float32{&g.Depth.Low, &g.Depth.High})
		} else if t.is("BIAS") {
			g.DepthBias.Enabled = true
			err = p.numbered([]string{"constant", "clamp", "slope"}, []*float32{&g.DepthBias.Constant, &g.DepthBias.Clamp, &g.DepthBias.Slope})
		} else if to := depthSwitch(pl.Graphics, t.text); to != nil {
			err = choice(p, t.text, runner.Switches, to)
		} else if t.is("COMPARE_OP") {
			err = choice(p, t.text, runner.Compares, &pl.Graphics.Depth.Compare)
		} else {
			err = p.errorf(t.pos, "unknown command %s in DEPTH", t)
		}
		if err != nil {
			return err
		}
	}
}

// numbered reads words, each followed by a number.
func (p *parser) numbered(words []string, to []*float32) error {
	for i, w := range words {
		if err := p.keyword(w); err != nil {
			return err
		}
		if err := p.parseFloat32(w, to[i]); err != nil {
			return err
		}
	}
	return nil
}

// stencilOps are the operations of a STENCIL block.
var stencilOps = map[string]draw.StencilOp{
	"keep": draw.Keep, "zero": draw.SetZero, "replace": draw.Replace, "increment_and_clamp": draw.IncrementAndClamp,
	"decrement_and_clamp": draw.DecrementAndClamp, "invert": draw.Invert, "increment_and_wrap": draw.IncrementAndWrap,
	"decrement_and_wrap": draw.DecrementAndWrap,
}

// stencil reads STENCIL (front | back | front_and_back) … END.
func (p *parser) stencil(pl *runner.Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	s := &pl.Graphics.Stencil
	faces := map[string][]*draw.StencilFace{"front": {&s.Front}, "back": {&s.Back}, "front_and_back": {&s.Front, &s.Back}}
	var list []*draw.StencilFace
	if err := choice(p, cmd.text, faces, &list); err != nil {
		return err
	}
	for _, f := range list {
		if *f == (draw.StencilFace{}) {
			*f = draw.StencilFace{Compare: texture.Always, CompareMask: 255, WriteMask: 255}
		}
	}
	for t := p.next(); ; t = p.next() {
		switch {
		case t.kind == tokEOF:
			return p.errorf(cmd.pos, "STENCIL has no END")
		case t.kind == tokEOL:
			continue
		case t.is("END"):
			return p.endOfLine("END")
		case t.is("TEST"):
			if err := choice(p, t.text, runner.Switches, &s.Test); err != nil {
				return err
			}
			continue
		}
		var f draw.StencilFace
		if err := p.stencilFace(t, &f); err != nil {
			return err
		}
		for _, to := range list {
			stencilSet(t.text, to, &f)
		}
	}
}

// stencilFace reads the operand of a word of a STENCIL block into the field of f that the word sets.
func (p *parser) stencilFace(t token, f *draw.StencilFace) error {
	if op := map[string]*draw.StencilOp{"FAIL_OP": &f.Fail, "PASS_OP": &f.Pass, "DEPTH_FAIL_OP": &f.DepthFail}[t.text]; op != nil {
		return choice(p, t.text, stencilOps, op)
	}
	if t.is("COMPARE_OP") {
		return choice(p, t.text, runner.Compares, &f.Compare)
	}
	to := map[string]*uint8{"COMPARE_MASK": &f.CompareMask, "WRITE_MASK": &f.WriteMask, "REFERENCE": &f.Reference}[t.text]
	if to == nil {
		return p.errorf(t.pos, "unknown command %s in STENCIL", t)
	}
	n, err := p.uint(t.text, 255)
	*to = uint8(n)
	return err
}

// stencilSet copies the field that a word of a STENCIL block sets.
func stencilSet(word string, to, from *draw.StencilFace) {
	switch word {
	case "FAIL_OP":
		to.Fail = from.Fail
	case "PASS_OP":
		to.Pass = from.Pass
	case "DEPTH_FAIL_OP":
		to.DepthFail = from.DepthFail
	case "COMPARE_OP":
		to.Compare = from.Compare
	case "COMPARE_MASK":
		to.CompareMask = from.CompareMask
	case "WRITE_MASK":
		to.WriteMask = from.WriteMask
	case "REFERENCE":
		to.Reference = from.Reference
	}
}

// polygonMode reads POLYGON_MODE (fill | line | point).
func (p *parser) polygonMode(pl *runner.Pipeline, cmd token) error {
	if err := p.isGraphics(pl, cmd); err != nil {
		return err
	}
	modes := map[string]draw.PolygonMode{"fill": draw.Fill, "line": draw.Line, "point": draw.Point}
	if err := choice(p, cmd.text, modes, &pl.Graphics.Polygons); err != nil {
		return err
	}
	return p.endOfLine(cmd.text)
}

// blendFactors and blendOps are the words of a BLEND block.
var (
	blendFactors = map[string]draw.Factor{
		"zero": draw.Zero, "one": draw.One, "src_color": draw.SrcColor, "one_minus_src_color": draw.OneMinusSrcColor,
		"dst_color": draw.DstColor, "one_minus_dst_color": draw.OneMinusDstColor, "src_alpha": draw.SrcAlpha,
		"one_minus_src_alpha": draw.OneMinusSrcAlpha, "dst_alpha": draw.DstAlpha, "one_minus_dst_alpha": draw.OneMinusDstAlpha,
		"constant_color": draw.ConstantColor, "one_minus_constant_color": draw.OneMinusConstantColor,
		"constant_alpha": draw.ConstantAlpha, "one_minus_constant_alpha": draw.OneMinusConstantAlpha,
		"src_alpha_saturate": draw.SrcAlphaSaturate, "src1_color": draw.Src1Color, "one_minus_src1_color": draw.OneMinusSrc1Color,
		"src1_alpha": draw.Src1Alpha, "one_minus_src1_alpha": draw.OneMinusSrc1Alpha,
	}
	blendOps = map[string]draw.BlendOp{
		"add": draw.Add, "substract": draw.Subtract, "reverse_substract": draw.ReverseSubtract, "min": draw.Min, "max": draw.Max,
	}
)

// blend reads BLEND … END, which applies to all color attachments.
func (p *parser) blend(pl *runner.Pipeline, cmd token) error {
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
				pl.Graphics.Blend = *b
				return p.endOfLine("END")
			}
			err = p.errorf(t.pos, "unknown command %s in BLEND", t)
		}
		if err != nil {
			return err
		}
	}
}
