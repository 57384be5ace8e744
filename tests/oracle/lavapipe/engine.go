// SPDX-License-Identifier: MIT

package lavapipe

import (
	"context"
	"encoding/binary"
	"fmt"

	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
)

// An Engine runs the dispatches of AmberScript on a device.
type Engine struct {
	Device Runner
	// Module compiles a shader of a script.
	Module func(*runner.Shader) ([]uint32, error)
}

// Dispatch runs one RUN command.
func (e *Engine) Dispatch(_ context.Context, c *runner.Call) error {
	words, err := e.Module(c.Shader)
	if err != nil {
		return err
	}
	d := &Dispatch{Words: words, Entry: c.Entry, Push: c.PushConstants, Groups: c.Groups}
	if c.Subgroup != (runner.Subgroup{}) {
		return fmt.Errorf("lavapipe has one subgroup size and takes no requirement")
	}
	d.Specs = specsOf(c.Specialize)
	for i := range c.Bindings {
		d.Bindings = append(d.Bindings, bindingOf(&c.Bindings[i]))
	}
	return e.Device.Run(d)
}

// Draw runs one RUN command of a graphics pipeline.
func (e *Engine) Draw(_ context.Context, c *runner.DrawCall) error {
	d := &Draw{Push: c.PushConstants, State: c.State, Call: c.Draw}
	for _, s := range []struct {
		to   *Shader
		from *runner.Stage
	}{{&d.Vertex, &c.Vertex}, {&d.Fragment, &c.Fragment}} {
		words, err := e.Module(s.from.Shader)
		if err != nil {
			return err
		}
		*s.to = Shader{Words: words, Entry: s.from.Entry, Specs: specsOf(s.from.Specialize)}
	}
	for i := range c.Bindings {
		d.Bindings = append(d.Bindings, bindingOf(&c.Bindings[i]))
	}
	return e.Device.Draw(d)
}

// specsOf returns the values of specialization constants.
func specsOf(list []runner.Spec) (out []Spec) {
	for _, s := range list {
		value := binary.LittleEndian.AppendUint64(nil, s.Bits)
		out = append(out, Spec{ID: s.ID, Value: value[:s.Size]})
	}
	return out
}

var kinds = map[runner.BindKind]Kind{
	runner.Storage: Storage, runner.Uniform: Uniform, runner.StorageImage: StorageImage, runner.SampledImage: SampledImage,
	runner.CombinedImageSampler: CombinedImageSampler, runner.UniformTexelBuffer: UniformTexelBuffer,
	runner.StorageTexelBuffer: StorageTexelBuffer, runner.SamplerAlone: Sampler, runner.InputAttachment: InputAttachment,
}

// dimensions gives the number of dimensions of each kind of image; layers and faces are not counted.
var dimensions = map[kind.ImageDim]int{kind.Dim1D: 1, kind.Dim2D: 2, kind.DimCube: 2, kind.Dim3D: 3}

const cubeFaces = 6

func bindingOf(b *runner.Binding) Binding {
	out := Binding{Set: b.Set, Binding: b.Binding, Element: b.Element, Kind: kinds[b.Kind], Data: b.Data, BaseLevel: b.BaseLevel,
		Sampler: b.Sampler, IntBorder: b.IntBorder, Compare: b.Compare}
	if m := b.Texture; m != nil {
		out.Format = m.Format
		if m.Dim != kind.DimBuf {
			out.Dims = dimensions[m.Dim]
			out.Layers, out.Samples = m.Layers, m.Samples
			out.Levels, out.Cube = m.Levels, m.Dim == kind.DimCube
			out.Arrayed = m.Layers > 1 && !out.Cube || m.Layers > cubeFaces
		}
	} else if m := b.Image; m != nil {
		out.Format = m.Format
		if m.Dim != kind.DimBuf {
			out.Dims = dimensions[m.Dim]
			out.Samples = uint32(m.Samples)
			out.Levels = m.Texture(b.Data, 0).Levels
		}
	}
	return out
}
