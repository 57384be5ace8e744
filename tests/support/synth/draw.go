// SPDX-License-Identifier: MIT

package synth

import (
	"context"
	"fmt"

	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/core/draw"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/picture"
)

// Draw is a draw with a shader.
type Draw struct {
	runner.DrawCall
	// Features whose results Vulkan does not define exactly. Filters reports that the shader samples images with a
	// filter, Levels that derivatives choose the level, Offsets that inputs are interpolated at offsets, Samples that
	// they are interpolated at numbered samples: the draw has one sample, and inputs are undefined at others.
	Filters, Levels, Offsets, Samples bool
	Writes                            bool // the shader may write buffers or images

	module []byte
	tools  *tools.Cache
}

// Options are the parameters of a draw.
type Options struct {
	Width, Height int    // size of the framebuffer
	Number        uint64 // number that selects the values
	Unorm         bool   // floats go to attachments of 8 bits per component
	Points        bool   // a vertex shader draws points, not triangles
	Whole         uint64 // the integers of buffers and push constants; 0 means random ones from 1 to 3
	// Rise is the difference of the components of float images between neighboring levels, if derivatives choose them.
	Rise float64
}

// Unsupported is the reason why no draw can be generated for a shader.
type Unsupported string

func (e Unsupported) Error() string { return string(e) }

// New generates a draw for an entry point of a module. The other stage is translated with c. The error is an
// Unsupported if a feature of the shader prevents a draw, and the reader's error if the module cannot be read.
func New(c *tools.Cache, module []byte, stage kind.Stage, entry string, o Options) (*Draw, error) {
	s, err := spirv.Read(module, spirv.Options{Stage: stage, Entry: entry})
	if err != nil {
		return nil, err
	}
	d := &Draw{module: module, tools: c}
	if err := pass.New(s).Run(pipeline.StageIO, nil); err != nil {
		return nil, err
	}
	r := resources{s: s, d: d, number: o.Number, rise: o.Rise, all: o.Whole}
	if err := r.bind(o.Width, o.Height); err != nil {
		return nil, err
	}
	io, err := interfaceOf(s)
	if err != nil {
		return nil, err
	}
	given := &runner.Shader{Name: "given", Stage: stage, Format: runner.SPIRVHex}
	d.State = draw.State{Topology: draw.TriangleList, Width: o.Width, Height: o.Height, Samples: 1,
		Viewport: draw.Viewport{Width: float32(o.Width), Height: float32(o.Height), MaxDepth: 1}}
	depths := attachment("D32_SFLOAT", o.Width, o.Height)
	var far texture.Texel
	far.SetFloat(0, 1)
	depths.Clear(far)
	d.State.Depth = draw.Depth{Attachment: depths, Test: true, Write: true, Compare: texture.Always}
	if stage == kind.StageVertex {
		d.Vertex = runner.Stage{Shader: given, Entry: entry}
		err = d.afterVertex(io, o)
	} else {
		d.Fragment = runner.Stage{Shader: given, Entry: entry}
		err = d.beforeFragment(io, o)
	}
	return d, err
}

// Module returns the module of one of the draw's shaders, for an engine.
func (d *Draw) Module(ctx context.Context, s *runner.Shader) ([]byte, error) {
	if s.Name == "given" {
		return d.module, nil
	}
	return d.tools.Shader(ctx, "madeup", s)
}

// Clone returns a draw with new memory for attachments and bindings.
func (d *Draw) Clone() *Draw {
	out := *d
	out.DrawCall = *picture.Copy(&d.DrawCall)
	return &out
}

// named returns the format with a name, and panics if there is none.
func named(name string) *texture.Format {
	f, err := texture.Named(name)
	if err != nil {
		panic(err) // a module of this project
	}
	return f
}

// attachment returns an image of zeros.
func attachment(format string, width, height int) draw.Attachment {
	f := named(format)
	return draw.Attachment{Format: f, Width: width, Height: height, Samples: 1, Data: make([]byte, width*height*f.Bytes)}
}

// color adds an attachment for values of a base type at a location. It is cleared to values that few shaders write.
func (d *Draw) color(location int, base kind.BaseType, o Options) {
	name := formatNames[base]
	if base == kind.BaseFloat && o.Unorm {
		name = "R8G8B8A8_UNORM"
	}
	for len(d.State.Colors) <= location {
		d.State.Colors = append(d.State.Colors, draw.Color{})
	}
	a := attachment(name, o.Width, o.Height)
	var t texture.Texel
	for c := range t {
		t[c] = uint64(101 + c)
		if base == kind.BaseFloat {
			t.SetFloat(c, 0.29+0.11*float32(c))
		}
	}
	a.Clear(t)
	d.State.Colors[location] = draw.Color{Attachment: a}
}

// shader returns a stage with a shader that this package has generated.
func shader(stage kind.Stage, source string) runner.Stage {
	return runner.Stage{Shader: &runner.Shader{Name: "generated", Format: runner.GLSL, Source: source, Stage: stage, TargetEnv: "spv1.0"},
		Entry: "main"}
}

// slot is a location that a shader reads or writes.
type slot struct {
	location, components int // components is a mask
	base                 kind.BaseType
}

// interfaceOf returns the inputs (for a vertex shader, the attributes) and the outputs of a shader whose accesses are
// by slots.
func interfaceOf(s *ir.Shader) (io stageInterface, err error) {
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Kind == kind.Intrinsic {
					if err := io.add(s, v); err != nil {
						return io, err
					}
				}
			}
		}
	}
	return io, nil
}

func unsupported(format string, args ...any) error { return Unsupported(fmt.Sprintf(format, args...)) }
