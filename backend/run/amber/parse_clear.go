// SPDX-License-Identifier: MIT

package amber

import (
	"jacquard.example/backend/run/runner"
)

// graphicsNamed reads the name of a graphics pipeline.
func (p *parser) graphicsNamed(cmd string) (*runner.Pipeline, error) {
	name, err := p.word("the pipeline of " + cmd)
	if err != nil {
		return nil, err
	}
	pl := p.pipelines[name.text]
	switch {
	case pl == nil:
		return nil, p.errorf(name.pos, "unknown pipeline %s", name)
	case pl.Graphics == nil:
		return nil, p.errorf(name.pos, "%s needs a graphics pipeline, but %s is a compute pipeline", cmd, pl.Name)
	}
	return pl, nil
}

// clear reads CLEAR pipeline.
func (p *parser) clear(cmd token) error {
	pl, err := p.graphicsNamed("CLEAR")
	if err != nil {
		return err
	}
	*p.out = append(*p.out, &runner.ClearCommand{Pipeline: pl, Pos: cmd.pos})
	return p.endOfLine("CLEAR")
}

// clearColor reads CLEAR_COLOR pipeline r g b a, from 0 to 255.
func (p *parser) clearColor(cmd token) error {
	pl, err := p.graphicsNamed("CLEAR_COLOR")
	if err != nil {
		return err
	}
	c := &runner.ClearValue{Pipeline: pl, Pos: cmd.pos}
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

// clearStencil reads CLEAR_STENCIL pipeline value.
func (p *parser) clearStencil(cmd token) error {
	pl, err := p.graphicsNamed("CLEAR_STENCIL")
	if err != nil {
		return err
	}
	n, err := p.uint("CLEAR_STENCIL", 255)
	if err != nil {
		return err
	}
	*p.out = append(*p.out, &runner.ClearValue{Pipeline: pl, Part: runner.ClearStencil, Stencil: uint8(n), Pos: cmd.pos})
	return p.endOfLine("CLEAR_STENCIL")
}

// clearDepth reads CLEAR_DEPTH pipeline value.
func (p *parser) clearDepth(cmd token) error {
	pl, err := p.graphicsNamed("CLEAR_DEPTH")
	if err != nil {
		return err
	}
	c := &runner.ClearValue{Pipeline: pl, Part: runner.ClearDepth, Pos: cmd.pos}
	if err := p.parseFloat32("CLEAR_DEPTH", &c.Value[0]); err != nil {
		return err
	}
	*p.out = append(*p.out, c)
	return p.endOfLine("CLEAR_DEPTH")
}
