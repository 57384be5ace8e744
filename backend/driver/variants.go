// SPDX-License-Identifier: MIT

package driver

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"jacquard.example/backend/driver/explain"
	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/backend/launch"
	"jacquard.example/core/ir"
	"jacquard.example/generated/target"
)

// Program is a compiled entry point.
type Program struct {
	Target   *target.Target
	Stage    string
	Entry    string
	Variants []Variant // one per width; the first is preferred, unless Options.Widths lists them
	// Impossible has the reason why there is no variant for a width of Options.Widths.
	Impossible map[int]string
	Width      Width    // set if Options.Explain is set and Options.Widths is not
	Unchecked  []string // the checks of Options.Verify that exceeded their budget
}

// Variant is the code for one width.
type Variant struct {
	*intel.Binary
	Launch       launch.ABI
	BoundsChecks int            // accesses that code checks against bounds
	Lines        []explain.Line // if Options.Explain is set
	Cost         *explain.Cost  // set if Options.Explain is set; nil for machine IR
}

// variants compiles a shader for the widths that the options request, or else for the best width.
func (c *compiler) variants(ctx context.Context, p *Program, s *ir.Shader) error {
	switch {
	case len(c.opts.Widths) > 0:
		return c.each(ctx, p, s)
	case c.opts.SIMD != 0:
		return c.best(ctx, p, s, []int{c.opts.SIMD})
	}
	return c.best(ctx, p, s, possible(c.target, preferred(s, c.target)))
}

// possible returns the widths that a machine has, or all if it has none of them, for an error that names them.
func possible(machine *target.Target, widths []int) []int {
	has := slices.DeleteFunc(slices.Clone(widths), func(n int) bool { return !slices.Contains(machine.Widths, n) })
	if len(has) == 0 {
		return widths
	}
	return has
}

// each compiles the shader at each of Options.Widths.
func (c *compiler) each(ctx context.Context, p *Program, s *ir.Shader) error {
	impossible, err := c.try(ctx, p, s, c.opts.Widths, true)
	for _, e := range impossible {
		if p.Impossible == nil {
			p.Impossible = map[int]string{}
		}
		p.Impossible[e.SIMD] = e.Error()
	}
	return err
}

// best compiles the shader at the first width that is possible. If there is a choice and SIMD16 code spills, it also
// compiles SIMD8 code, if possible, and keeps the code with fewer estimated cycles per lane.
func (c *compiler) best(ctx context.Context, p *Program, s *ir.Shader, widths []int) error {
	impossible, err := c.try(ctx, p, s, widths, false)
	if err != nil {
		return err
	}
	first := &p.Variants[0]
	if c.opts.Explain {
		p.Width = chosen(c.target, s, first, impossible, c.opts.SIMD)
	}
	if len(widths) == 1 || first.SIMD != 16 || first.Stats.Spills == 0 || intel.CheckWidth(s, c.target, 8) != nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// With half the lanes, each lane has twice as many registers.
	if err := c.variant(p, s, 8); err != nil {
		if errors.As(err, new(*intel.WidthError)) {
			return nil
		}
		return err
	}
	best := 0
	wide, narrow := &p.Variants[0], &p.Variants[1]
	if 2*narrow.Cycles < wide.Cycles {
		best = 1
	}
	if c.opts.Explain {
		p.Width = spilling(wide, narrow, best)
	}
	p.Variants = p.Variants[best : best+1]
	return nil
}

// try compiles the shader at the widths in their order: at all that are possible, or only at the first. It returns the
// errors of the impossible widths. If no width is possible, err has the reasons for all of them.
func (c *compiler) try(ctx context.Context, p *Program, s *ir.Shader, widths []int, all bool) (impossible []*intel.WidthError, err error) {
	for _, simd := range widths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := c.variant(p, s, simd)
		var e *intel.WidthError
		switch {
		case err == nil && !all:
			return impossible, nil
		case errors.As(err, &e):
			impossible = append(impossible, e)
		case err != nil:
			return nil, err
		}
	}
	if len(p.Variants) == 0 {
		return nil, errors.New(reasons(impossible))
	}
	return impossible, nil
}

// reasons returns the reasons why widths are impossible.
func reasons(impossible []*intel.WidthError) string {
	var list []string
	for _, e := range impossible {
		list = append(list, e.Error())
	}
	return strings.Join(list, "; ")
}

// variant compiles the shader at a width and adds the code to the program.
func (c *compiler) variant(p *Program, s *ir.Shader, simd int) error {
	o := c.intelOptions(nil)
	o.SIMD, o.Buffers = simd, tableSize(s)
	out, err := c.intel.Compile(s, o)
	if err != nil {
		return err
	}
	v := p.add(out)
	v.BoundsChecks = int(c.pass.Bounded)
	if c.opts.Explain {
		v.Lines = explain.Lines(s, out, c.rules)
		v.Cost = explain.CostOf(s, out, v.Lines, c.remarks)
	}
	return nil
}

// add adds the output of the back end to the program.
func (p *Program) add(out *intel.Binary) *Variant {
	p.Variants = append(p.Variants, Variant{Binary: out, Launch: abiOf(p.Target, out)})
	p.Unchecked = append(p.Unchecked, out.Unchecked...)
	return &p.Variants[len(p.Variants)-1]
}

// intelOptions returns the options of the back end, except the width and the buffers. given is machine IR that was read
// from text, or nil; the first pass that runs has changed something if its result differs from it.
func (c *compiler) intelOptions(given *mir.Unit) intel.Options {
	opts := c.opts
	o := intel.Options{
		Target: c.target, Verify: opts.Verify, Explain: opts.Explain, Work: c.meter, Disable: opts.Disable.Machine,
		StopAfter: opts.StopAfter,
	}
	if opts.Zebin {
		o.ABI = c.target.Zebin
	}
	if opts.Trace != nil {
		var last []byte
		if given != nil {
			last = mirtext.Body(mirtext.Print(given))
		}
		o.Trace = func(name string, u *mir.Unit, took time.Duration) {
			text := mirtext.Print(u)
			body := mirtext.Body(text)
			changed := !bytes.Equal(body, last)
			opts.Trace(&Step{Pass: name, SIMD: u.Func.Width, Changed: changed, Took: took, text: func() []byte { return text }})
			last = body
		}
	}
	return o
}
