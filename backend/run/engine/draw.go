// SPDX-License-Identifier: MIT

package engine

import (
	"context"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/kind"
)

// Shaders returns the shaders of a draw as the interpreter runs them.
func (e *Interp) Shaders(ctx context.Context, c *runner.DrawCall) (draw.Shaders, error) {
	vs, fs, err := e.pair(ctx, c)
	return &shaders{e: e, c: c, vertex: vs, fragment: fs}, err
}

// Draw implements runner.Drawer.
func (e *Interp) Draw(ctx context.Context, c *runner.DrawCall) error {
	vs, fs, err := e.pair(ctx, c)
	if err != nil {
		return err
	}
	sh := &shaders{e: e, c: c, vertex: vs, fragment: fs}
	state := c.State
	if fs != nil {
		state = asked(state, fs.Info.Modes, stageio.PerSample(fs))
	}
	err = draw.Run(ctx, &state, &c.Draw, sh)
	for _, st := range sh.stages {
		e.Executed.Add(st.Stats())
	}
	return err
}

// asked adds the settings of the fixed functions that a fragment shader requests to the state of a draw.
func asked(state draw.State, modes kind.StageMode, perSample bool) draw.State {
	state.EarlyTests = modes&kind.StageModeEarlyFragmentTests != 0
	state.PostDepthCoverage = modes&kind.StageModePostDepthCoverage != 0
	state.Interlock = modes&interlocks != 0
	state.SampleShading = perSample
	return state
}

// interlocks are the modes of fragment shaders with a critical section.
const interlocks = kind.StageModePixelInterlockOrdered | kind.StageModePixelInterlockUnordered |
	kind.StageModeSampleInterlockOrdered | kind.StageModeSampleInterlockUnordered

// shaders runs the shaders of a draw on the interpreter.
type shaders struct {
	e                *Interp
	c                *runner.DrawCall
	vertex, fragment *ir.Shader
	fragments        *interp.Stage
	stages           []*interp.Stage // all stages that ran
	width            int             // the subgroup size of fragment shaders
}

// stage prepares a shader to be run, and returns its subgroup size.
func (s *shaders) stage(ctx context.Context, shader *ir.Shader) (*interp.Stage, int, error) {
	call := s.e.call(s.c.Bindings, s.c.PushConstants)
	call.KeepQuads = true
	if s.e.Configure != nil {
		s.e.Configure(&call)
	}
	st, err := interp.NewStage(ctx, shader, &call)
	if err == nil {
		s.stages = append(s.stages, st)
	}
	return st, call.Width, err
}

// lanes returns a mask of the first n invocations.
func lanes(n int) uint64 { return ^uint64(0) >> (64 - n) }

// Vertices implements draw.Shaders.
func (s *shaders) Vertices(ctx context.Context, in []draw.Input, out []draw.Vertex) error {
	st, width, err := s.stage(ctx, s.vertex)
	if err != nil {
		return err
	}
	for at := 0; at < len(in); at += width {
		n := min(width, len(in)-at)
		f := &vertexFixed{in: in[at : at+n], out: out[at : at+n], view: s.c.Draw.View}
		if _, err := st.Run(lanes(n), 0, f); err != nil {
			return err
		}
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

// keep replaces a missing fragment shader. It leaves the fragments as they are.
func keep(quads []draw.Quad) {
	for i := range quads {
		for k := range quads[i].Pixels {
			quads[i].Pixels[k].Live = true
		}
	}
}

// Fragments implements draw.Shaders.
func (s *shaders) Fragments(ctx context.Context, quads []draw.Quad) error {
	if s.fragment == nil {
		keep(quads)
		return nil
	}
	if s.fragments == nil {
		var err error
		if s.fragments, s.width, err = s.stage(ctx, s.fragment); err != nil {
			return err
		}
	}
	for at := 0; at < len(quads); at += s.width / 4 {
		f := &fragmentFixed{quads: quads[at:min(at+s.width/4, len(quads))], view: s.c.Draw.View}
		helpers := uint64(0)
		for i := range f.quads {
			helpers |= uint64(^f.quads[i].Covered&0xf) << (4 * i)
		}
		live, err := s.fragments.Run(lanes(4*len(f.quads)), helpers, f)
		if err == nil {
			err = f.err
		}
		if err != nil {
			return err
		}
		for i := range f.quads {
			for k := range 4 {
				px := &f.quads[i].Pixels[k]
				px.Live = live>>(4*i+k)&1 != 0
			}
		}
	}
	return nil
}
