// SPDX-License-Identifier: MIT

package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Draw implements runner.Drawer.
func (e *EU) Draw(ctx context.Context, c *runner.DrawCall) error {
	var p Programs
	vs, err := e.stage(ctx, c, &c.Vertex, kind.StageVertex)
	if err != nil {
		return err
	}
	p.Vertex = vs.launch
	stages, state := []*staged{vs}, c.State
	var sh draw.Shaders = &p
	machine, _ := target.ByName(string(vs.program.Target))
	switch {
	case c.Fragment.Shader == nil:
	case machine.Fragment == nil:
		in := &Interp{Module: e.Module}
		vs, fs, err := in.pair(ctx, c)
		if err != nil {
			return err
		}
		sh = split{Shaders: &shaders{e: in, c: c, vertex: vs, fragment: fs}, vertex: &p}
		state = asked(state, fs.Info.Modes, stageio.PerSample(fs))
	default:
		fs, err := e.stage(ctx, c, &c.Fragment, kind.StageFragment)
		if err != nil {
			return err
		}
		p.Fragment, stages = fs.launch, append(stages, fs)
		p.SetTopology(c.State.Topology)
		modes, err := modesOf(&fs.program.ABI)
		if err != nil {
			return err
		}
		state = asked(state, modes, fs.program.ABI.PerSample)
	}
	if err := draw.Run(ctx, &state, &c.Draw, sh); err != nil {
		return err
	}
	for _, s := range stages {
		if e.Observe != nil {
			e.Observe(s.call, s.program, s.launch.Options.Account)
		}
	}
	return nil
}

// VertexProgram returns the program of a draw's vertex shader, as the model launches it.
func (e *EU) VertexProgram(ctx context.Context, c *runner.DrawCall) (*graphics.Program, error) {
	vs, err := e.stage(ctx, c, &c.Vertex, kind.StageVertex)
	if err != nil {
		return nil, err
	}
	return vs.launch, nil
}

// split runs the vertex shader of a draw on the model, and the fragment shader on the interpreter, because it cannot be
// compiled for the machine.
type split struct {
	draw.Shaders
	vertex *Programs
}

// Vertices implements draw.Shaders.
func (s split) Vertices(ctx context.Context, in []draw.Input, out []draw.Vertex) error {
	return s.vertex.Vertices(ctx, in, out)
}

// staged is a stage of a draw: the call it was compiled for, the compiled program, and the program in the form that
// the model launches.
type staged struct {
	call    *runner.Call
	program *jacquard.Program
	launch  *graphics.Program
}

// modesOf returns the modes of the fixed functions around a shader.
func modesOf(abi *jacquard.ABI) (modes kind.StageMode, err error) {
	for _, name := range abi.Modes {
		bit, ok := kind.EnumStageMode.Value(name)
		if !ok {
			return 0, fmt.Errorf("unknown mode %q", name)
		}
		modes |= 1 << bit
	}
	return modes, nil
}

// stage compiles a shader of a draw and describes its program to the launcher.
func (e *EU) stage(ctx context.Context, c *runner.DrawCall, s *runner.Stage, stage kind.Stage) (*staged, error) {
	call := &runner.Call{Shader: s.Shader, Entry: s.Entry, Specialize: s.Specialize, Bindings: c.Bindings, PushConstants: c.PushConstants}
	old := e.Options
	e.Options.Stage = jacquard.Stage(stage.String())
	if stage == kind.StageVertex {
		e.Options.SIMD = 0 // vertex shaders have one width
	}
	p, err := e.compile(ctx, call)
	e.Options = old
	if err != nil {
		return nil, err
	}
	surfaces, err := surfacesOf(p.Program, call, p.needs)
	if err != nil {
		return nil, err
	}
	mapped := mapBuffers(&p.ABI, surfaces)
	push, err := userData(&p.ABI, c.PushConstants, surfaces, mapped)
	if err != nil {
		return nil, err
	}
	if p.ABI.ReadsView {
		push = append(push, make([]byte, max(0, p.ABI.ViewOffset-len(push)))...)
		push = binary.LittleEndian.AppendUint32(push[:p.ABI.ViewOffset], c.Draw.View)
	}
	push = append(push, rangesOf(&p.ABI, surfaces, len(push))...)
	v := &p.Variants[0]
	g := &graphics.Program{
		Code: p.code, SIMD: v.SIMD, ABI: p.abi, User: push, Surfaces: surfaces, Mappings: mapped, Samplers: samplersOf(p.Program, call),
		ScratchPerThread: v.Scratch, Options: e.Execution,
	}
	g.Options.Profile = e.profile(p.Program)
	if e.Observe != nil {
		g.Options.Account = new(eu.Account)
	}
	for _, part := range p.ABI.Payload {
		if err := uses(g, part.Part); err != nil {
			return nil, err
		}
	}
	if err := inputs(g, p.ABI.Inputs); err != nil {
		return nil, err
	}
	out := &staged{call, p.Program, g}
	if stage == kind.StageVertex {
		return out, vertexOutputs(g, p.ABI.Outputs)
	}
	return out, fragmentOutputs(g, &p.ABI)
}

// rangesOf returns the push data that follows the first n bytes: ranges of uniform buffers.
func rangesOf(a *jacquard.ABI, surfaces []*eu.Surface, n int) []byte {
	var data []byte
	for _, r := range a.Ranges {
		data = append(data, make([]byte, r.Offset+r.Bytes-n-len(data))...)
		if s := surfaces[r.Entry]; s != nil {
			copy(data[r.Offset-n:], s.Data[min(r.Start, len(s.Data)):min(r.Start+r.Bytes, len(s.Data))])
		}
	}
	return data
}

// uses adds the part of the payload with a name to the parts that the program uses.
func uses(g *graphics.Program, name string) error {
	for _, p := range g.ABI.Parts {
		if p.String() == name {
			g.Uses |= graphics.PartsOf(p)
			return nil
		}
	}
	return fmt.Errorf("the ABI %s has no part %q", g.ABI.Name, name)
}

// slotOf returns the interpreter's number of the slot of an input or output.
func slotOf(s *jacquard.Slot) (int, error) {
	if s.Is == "location" {
		return s.Location, nil
	}
	for i, name := range kind.EnumIOBuiltin.Names {
		if name == s.Is && i > 0 {
			return int(stageio.Slot(kind.IOBuiltin(i), 0, 0)) + s.Location, nil
		}
	}
	return 0, fmt.Errorf("unknown input or output %q", s.Is)
}

// values lists the builtins in the slots that follow the attributes of a vertex.
var values = map[string][4]intrinsic.ID{
	"vertex_values": {intrinsic.LoadBaseVertex, intrinsic.LoadBaseInstance, intrinsic.LoadVertexIDZeroBase, intrinsic.LoadInstanceIDZeroBase},
	"draw_values":   {intrinsic.LoadDrawID, intrinsic.LoadIsIndexedDraw},
}

// inputs describes the inputs of a program.
func inputs(g *graphics.Program, slots []jacquard.Slot) error {
	for i := range slots {
		s := &slots[i]
		for len(g.Inputs) <= s.Slot {
			g.Inputs = append(g.Inputs, graphics.Input{Slot: -1})
		}
		in := &g.Inputs[s.Slot]
		if builtins, ok := values[s.Is]; ok {
			in.Values = builtins
			continue
		}
		var err error
		if in.Slot, err = slotOf(s); err != nil {
			return err
		}
	}
	return nil
}

// firstDistances is the first slot of distances of a vertex in the URB. Cull distances follow clip distances.
const firstDistances = 2

// vertexOutputs sets the layout of the outputs that a vertex program writes to the URB.
func vertexOutputs(g *graphics.Program, slots []jacquard.Slot) error {
	clips := 0
	for i := range slots {
		if slots[i].Is == kind.BuiltinClipDistance.String() {
			clips += bits.OnesCount(uint(slots[i].Components))
		}
	}
	g.Slots = firstDistances
	for i := range slots {
		s := &slots[i]
		to, err := slotOf(s)
		if err != nil {
			return err
		}
		for c := range 4 {
			if s.Components>>c&1 == 0 {
				continue
			}
			o := graphics.Output{At: 4*s.Slot + c, Slot: to, Component: c}
			switch s.Is {
			case kind.BuiltinClipDistance.String():
				n := o.At - 4*firstDistances
				o.Slot, o.Component = clipSlot+n/4, n%4
			case kind.BuiltinCullDistance.String():
				n := o.At - 4*firstDistances - clips
				o.Slot, o.Component = cullSlot+n/4, n%4
			case kind.BuiltinPointSize.String(), kind.BuiltinLayer.String(), kind.BuiltinViewportIndex.String():
				o.Component = 0 // each doubleword of the header is a separate slot
			}
			g.Outputs = append(g.Outputs, o)
		}
		g.Slots = max(g.Slots, s.Slot+1)
	}
	return nil
}

// fragmentOutputs sets the layout of a fragment program's outputs.
func fragmentOutputs(g *graphics.Program, a *jacquard.ABI) error {
	g.FirstTarget = len(a.Bindings)
	g.PerSample, g.NullTarget = a.PerSample, a.NullTarget
	g.DepthSlot, g.StencilSlot = depthSlot, stencilSlot
	g.MaskSlot, g.SecondSlot = maskSlot, secondSlot
	g.Colors = []uint8{}
	color := func(target, written int) {
		for len(g.Colors) <= target {
			g.Colors = append(g.Colors, 0)
		}
		g.Colors[target] |= uint8(written)
	}
	for i := range a.Outputs {
		switch s := &a.Outputs[i]; s.Is {
		case "location":
			g.Targets = max(g.Targets, s.Slot+1)
			color(s.Slot, s.Components)
		case "second_color":
			color(0, s.Components<<4)
		case kind.BuiltinFragDepth.String():
			g.WritesDepth = true
		case kind.BuiltinFragStencilRef.String():
			g.WritesStencil = true
		case kind.BuiltinSampleMask.String():
			g.WritesMask = true
		default:
			return fmt.Errorf("unknown output %q", s.Is)
		}
	}
	return nil
}
