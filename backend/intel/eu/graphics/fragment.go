// SPDX-License-Identifier: MIT

package graphics

import (
	"cmp"
	"context"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/interp"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Quad is a group of 2×2 pixels that a fragment thread shades.
type Quad struct {
	X, Y      int   // position of the upper left pixel
	Live      uint8 // a bit for each pixel that is not a helper
	Primitive any   // a thread's quads belong to one primitive
}

// live returns the dispatch mask of quads.
func live(quads []Quad) (mask uint32) {
	for i := range quads {
		mask |= uint32(quads[i].Live&15) << (4 * i)
	}
	return mask
}

// Fragments runs a fragment program for quads. Invocations of f are numbered from 0, four for each quad.
// Fragments calls alive for each pixel that was not discarded.
func (p *Program) Fragments(ctx context.Context, quads []Quad, f interp.Fixed, alive func(invocation int)) error {
	if err := p.check("fragment"); err != nil {
		return err
	}
	starts := p.threads(quads)
	of := func(thread int) []Quad { return quads[starts[thread]:starts[thread+1]] }
	var wrong error
	d := p.dispatch(len(starts)-1, &eu.Stage{
		Kind: eu.FragmentStage, VectorMask: true,
		Live:        func(thread int) uint32 { return live(of(thread)) },
		FirstTarget: p.FirstTarget, Targets: p.Targets, NullTarget: p.NullTarget, Colors: p.Colors,
		WritesMask: p.WritesMask, WritesDepth: p.WritesDepth, WritesStencil: p.WritesStencil,
		Write: func(thread, lane int, w *eu.TargetWrite) {
			l := 4*starts[thread] + lane
			p.write(f, l, w)
			if w.Last {
				alive(l)
			}
		},
		Interpolate: func(thread, lane int, at *eu.Place) [2]float32 { return interpolate(f, 4*starts[thread]+lane, at) },
	})
	d.Payload = func(l *eu.Launch, grf *eu.GRFs) {
		thread := int(l.Group[0])
		w := payload{p: p, l: l, grf: grf, f: f, lanes: 4 * len(of(thread)), first: 4 * starts[thread], quads: of(thread)}
		w.fill()
		wrong = cmp.Or(wrong, w.err)
	}
	if _, err := eu.Run(ctx, d); err != nil {
		return err
	}
	return wrong
}

// threads returns the index of each thread's first quad, followed by the number of quads.
func (p *Program) threads(quads []Quad) []int {
	var starts []int
	for i := range quads {
		if n := len(starts); n == 0 || i-starts[n-1] == p.SIMD/4 || quads[i].Primitive != quads[starts[n-1]].Primitive {
			starts = append(starts, i)
		}
	}
	return append(starts, len(quads))
}

// write passes a pixel of a render-target write to the fixed functions, without components that the shader leaves
// undefined.
func (p *Program) write(f interp.Fixed, l int, w *eu.TargetWrite) {
	written := p.written(w.Target)
	for c := range w.Color {
		if w.Null {
			break
		}
		if written>>c&1 != 0 {
			f.Output(l, w.Target, c, w.Color[c])
		}
		if w.Dual && written>>(len(w.Color)+c)&1 != 0 {
			f.Output(l, p.SecondSlot, c, w.Second[c])
		}
	}
	if p.WritesMask {
		f.Output(l, p.MaskSlot, 0, uint32(w.Mask))
	}
	if p.WritesDepth {
		f.Output(l, p.DepthSlot, 0, w.Depth)
	}
	if p.WritesStencil {
		f.Output(l, p.StencilSlot, 0, uint32(w.Stencil))
	}
}

// written returns the components of both colors of a render target that the program writes.
func (p *Program) written(target int) uint8 {
	switch {
	case p.Colors == nil:
		return 0xFF
	case target >= len(p.Colors):
		return 0
	}
	return p.Colors[target]
}

// interpolate evaluates a request to the pixel interpolator.
func interpolate(f interp.Fixed, l int, at *eu.Place) [2]float32 {
	mode := kind.InterpSmooth
	if at.Linear {
		mode = kind.InterpNoperspective
	}
	place := interp.Place{ID: intrinsic.LoadBarycentricAtOffset, Offset: [2]float32{float32(at.X) / 16, float32(at.Y) / 16}}
	switch at.At {
	case eu.PlaceCentroid:
		place = interp.Place{ID: intrinsic.LoadBarycentricCentroid}
	case eu.PlaceSample:
		place = interp.Place{ID: intrinsic.LoadBarycentricAtSample, Sample: uint32(at.Sample)}
	}
	return f.Barycentric(l, place, mode)
}
