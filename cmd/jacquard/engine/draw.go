package engine

import (
	"context"
	"fmt"
	"math"

	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/core/draw"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Draw implements amber.Drawer.
func (e *Interp) Draw(ctx context.Context, c *amber.DrawCall) error {
	vs, err := e.read(ctx, &c.Vertex, kind.StageVertex)
	if err != nil {
		return err
	}
	fs, err := e.read(ctx, &c.Fragment, kind.StageFragment)
	if err != nil {
		return err
	}
	sh := &shaders{e: e, c: c, vertex: vs, fragment: fs}
	state := c.State
	state.EarlyTests = fs.Info.Modes&kind.StageModeEarlyFragmentTests != 0
	return draw.Run(ctx, &state, &c.Draw, sh)
}

// shaders runs the shaders of a draw on the interpreter.
type shaders struct {
	e                *Interp
	c                *amber.DrawCall
	vertex, fragment *ir.Shader
	fragments        *interp.Stage
	width            int // of a subgroup of fragments
}

// stage prepares a shader.
func (s *shaders) stage(ctx context.Context, shader *ir.Shader) (*interp.Stage, int, error) {
	call := s.e.call(s.c.Bindings, s.c.PushConstants)
	st, err := interp.NewStage(ctx, shader, &call)
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
		f := &vertexFixed{in: in[at : at+n], out: out[at : at+n]}
		if _, err := st.Run(lanes(n), 0, f); err != nil {
			return err
		}
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

// Fragments implements draw.Shaders.
func (s *shaders) Fragments(ctx context.Context, quads []draw.Quad) error {
	if s.fragments == nil {
		var err error
		if s.fragments, s.width, err = s.stage(ctx, s.fragment); err != nil {
			return err
		}
	}
	for at := 0; at < len(quads); at += s.width / 4 {
		f := &fragmentFixed{quads: quads[at:min(at+s.width/4, len(quads))]}
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
				px.Live = live>>(4*i+k)&1 != 0 && !f.masked[4*i+k]
			}
		}
	}
	return nil
}

// slots of the builtins that shaders write.
var (
	positionSlot  = int(stageio.Slot(kind.BuiltinPosition, 0, 0))
	pointSizeSlot = int(stageio.Slot(kind.BuiltinPointSize, 0, 0))
	clipSlot      = int(stageio.Slot(kind.BuiltinClipDistance, 0, 0))
	cullSlot      = int(stageio.Slot(kind.BuiltinCullDistance, 0, 0))
	depthSlot     = int(stageio.Slot(kind.BuiltinFragDepth, 0, 0))
	maskSlot      = int(stageio.Slot(kind.BuiltinSampleMask, 0, 0))
)

// distanceSlots is the number of slots of eight clip or cull distances.
const distanceSlots = draw.MaxDistances / 4

// locations bounds the locations that vertices have.
const locations = 128

// vertexFixed is what surrounds the invocations of a vertex shader.
type vertexFixed struct {
	in  []draw.Input
	out []draw.Vertex
	err error
}

// Input implements interp.Fixed.
func (f *vertexFixed) Input(l, slot, component, _ int) uint32 {
	if a := f.in[l].Attributes; slot >= 0 && slot < len(a) {
		return a[slot][component]
	}
	return 0
}

// Output implements interp.Fixed.
func (f *vertexFixed) Output(l, slot, component int, x uint32) {
	v, number := &f.out[l], math.Float32frombits(x)
	switch {
	case slot == positionSlot:
		v.Position[component] = number
	case slot == pointSizeSlot: // only points have a size
	case slot >= clipSlot && slot < clipSlot+distanceSlots:
		i := 4*(slot-clipSlot) + component
		v.Clip[i], v.Clips = number, max(v.Clips, i+1)
	case slot >= cullSlot && slot < cullSlot+distanceSlots:
		i := 4*(slot-cullSlot) + component
		v.Cull[i], v.Culls = number, max(v.Culls, i+1)
	case slot >= 0 && slot < locations:
		for len(v.Outputs) <= slot {
			v.Outputs = append(v.Outputs, [4]uint32{})
		}
		v.Outputs[slot][component] = x
	default:
		f.err = unsupportedOutput("vertex")
	}
}

func unsupportedOutput(stage string) error {
	return fmt.Errorf("an output of the %s shader (layer, viewport, stencil reference, second color, or a high location) is not supported by a draw yet", stage)
}

// System implements interp.Fixed.
func (f *vertexFixed) System(l int, id intrinsic.ID, _ int) (uint64, bool) {
	in := &f.in[l]
	first := in.First
	if in.Indexed {
		first = 0 // the offset added to indices
	}
	switch id {
	case intrinsic.LoadVertexID:
		return uint64(in.Vertex), true
	case intrinsic.LoadVertexIDZeroBase:
		return uint64(in.Vertex - first), true
	case intrinsic.LoadInstanceID:
		return uint64(in.Instance), true
	case intrinsic.LoadInstanceIDZeroBase:
		return uint64(in.Instance - in.FirstInstance), true
	case intrinsic.LoadBaseVertex:
		return uint64(first), true
	case intrinsic.LoadBaseInstance:
		return uint64(in.FirstInstance), true
	case intrinsic.LoadIsIndexedDraw:
		if in.Indexed {
			return 1, true
		}
		return 0, true
	case intrinsic.LoadDrawID, intrinsic.LoadViewIndex:
		return 0, true
	}
	return 0, false
}

// Barycentric implements interp.Fixed. A vertex has none.
func (f *vertexFixed) Barycentric(int, interp.Place, kind.InterpMode) [2]float32 { return [2]float32{} }

// fragmentFixed is what surrounds the invocations of a fragment shader.
type fragmentFixed struct {
	quads  []draw.Quad
	masked [64]bool // the shader's sample mask excludes the pixel
	err    error
}

// center returns the window coordinates of the center of an invocation's pixel.
func (f *fragmentFixed) center(l int) (q *draw.Quad, x, y float64) {
	q = &f.quads[l/4]
	px, py := q.At(l % 4)
	return q, float64(px) + 0.5, float64(py) + 0.5
}

// Input implements interp.Fixed.
func (f *fragmentFixed) Input(l, slot, component, vertex int) uint32 {
	v := f.quads[l/4].Primitive.Vertices[vertex]
	switch {
	case slot >= clipSlot && slot < clipSlot+distanceSlots:
		return math.Float32bits(v.Clip[4*(slot-clipSlot)+component])
	case slot >= cullSlot && slot < cullSlot+distanceSlots:
		return math.Float32bits(v.Cull[4*(slot-cullSlot)+component])
	case slot >= 0 && slot < len(v.Outputs):
		return v.Outputs[slot][component]
	}
	return 0
}

// Output implements interp.Fixed.
func (f *fragmentFixed) Output(l, slot, component int, x uint32) {
	px := &f.quads[l/4].Pixels[l%4]
	switch {
	case slot == depthSlot:
		px.Depth, px.HasDepth = math.Float32frombits(x), true
	case slot == maskSlot:
		f.masked[l] = x&1 == 0
	case slot >= 0 && slot < draw.MaxColors:
		px.Colors[slot][component] = x
		px.Written |= 1 << slot
	default:
		f.err = unsupportedOutput("fragment")
	}
}

// System implements interp.Fixed.
func (f *fragmentFixed) System(l int, id intrinsic.ID, component int) (uint64, bool) {
	q, x, y := f.center(l)
	number := func(x float32) (uint64, bool) { return uint64(math.Float32bits(x)), true }
	switch id {
	case intrinsic.LoadFragCoord:
		switch component {
		case 0:
			return number(float32(x))
		case 1:
			return number(float32(y))
		case 2:
			return number(q.Primitive.Depth(x, y))
		}
		return number(q.Primitive.W(x, y))
	case intrinsic.LoadFrontFace:
		if q.Primitive.Front {
			return 1, true
		}
		return 0, true
	case intrinsic.LoadPrimitiveID:
		return uint64(q.Primitive.ID), true
	case intrinsic.LoadSamplePos:
		return number(0.5)
	case intrinsic.LoadSampleMaskIn:
		return uint64(q.Covered >> (l % 4) & 1), true
	case intrinsic.LoadSampleID, intrinsic.LoadLayerID, intrinsic.LoadViewportIndex, intrinsic.LoadViewIndex:
		return 0, true
	}
	return 0, false
}

// Barycentric implements interp.Fixed. A pixel has one sample, at its center, so every place but
// one at an offset is there.
func (f *fragmentFixed) Barycentric(l int, at interp.Place, mode kind.InterpMode) [2]float32 {
	q, x, y := f.center(l)
	if at.ID == intrinsic.LoadBarycentricAtOffset {
		x, y = x+float64(at.Offset[0]), y+float64(at.Offset[1])
	}
	return q.Primitive.Barycentric(x, y, mode)
}
