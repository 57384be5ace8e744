// SPDX-License-Identifier: MIT

package piglit

import (
	"strconv"
	"strings"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// between is the time between the starts of two dispatches, in cycles of the clock.
const between = 1 << 40

// dispatch runs the shader with everything that is bound.
func (r *scriptRunner) dispatch(groups [3]uint32) error {
	call := &runner.Call{Shader: &runner.Shader{Name: "test"}, Entry: "main", Groups: groups, Clock: r.runs * between}
	r.runs++
	var err error
	if call.Bindings, err = r.bindings(r.modules[0], 0); err != nil {
		return err
	}
	return r.engine.Dispatch(r.ctx, call)
}

// bindings returns the bindings of a module's variables in a descriptor set. The elements of an array are bound one by
// one.
func (r *scriptRunner) bindings(m *module, set uint32) (out []runner.Binding, err error) {
	for _, v := range m.vars {
		typ, n := m.elements(v.typ)
		v.typ = typ
		for k := range n {
			b := runner.Binding{Set: set, Binding: v.binding, Element: k}
			v.element = k
			bind := r.buffer
			if v.class == classUniformConstant {
				bind = r.image
			}
			if err := bind(m, &v, &b); err != nil {
				return nil, err
			}
			out = append(out, b)
		}
	}
	return out, nil
}

// image binds the image of a variable's unit, or the texture and sampler. An empty unit is bound to an image without
// memory, which reads as zero.
func (r *scriptRunner) image(mod *module, v *variable, b *runner.Binding) error {
	unit, set := r.units[arrayElement{v.name, v.element}]
	if !set {
		unit = int(v.binding + v.element) // the first unit, given by the layout
		if r.drawer != nil {
			unit = 0 // bindings are assigned
		}
	}
	m := r.images[unit]
	b.Kind = runner.StorageImage
	if t := mod.types[v.typ]; t == nil || t.op != opTypeImage {
		m = r.textures[unit]
		sampler := texture.DefaultSampler()
		if m != nil {
			sampler = m.sampler()
		}
		b.Kind, b.Sampler = runner.CombinedImageSampler, &sampler
	}
	if m == nil {
		return nil
	}
	b.Image = &runner.Image{Format: texture.Of(m.format), Dim: kind.Dim2D, Width: m.width, Height: m.height, Depth: 1,
		Levels: 1, Samples: 1,
		Layers: 1}
	b.Data = m.data
	return nil
}

// buffer binds the buffer of a block. A block without a binding has binding 0 in OpenGL, and any binding here.
func (r *scriptRunner) buffer(mod *module, v *variable, b *runner.Binding) error {
	if v.class == classUniform && !mod.buffer[v.typ] {
		b.Kind = runner.Uniform
	}
	n, counters := strings.CutPrefix(v.name, "gl_AtomicCounterBlock_")
	switch {
	case counters:
		k, err := strconv.Atoi(n)
		if err != nil {
			return err
		}
		b.Data = r.counters[uint32(k)]
	case v.name == defaultBlock:
		b.Data = r.uniforms
	case b.Kind == runner.Uniform:
		if r.drawer == nil {
			return &Unsupported{"a uniform block"}
		}
		b.Data = r.blockData(v.name, v.element)
	default:
		if b.Data = r.ssbos[v.binding]; b.Data == nil {
			b.Data = r.ssbos[0]
		}
	}
	return nil
}

// sampler returns the sampler of a texture.
func (m *image) sampler() texture.Sampler {
	s := texture.DefaultSampler()
	if m.linear {
		s.Mag, s.Min = texture.Linear, texture.Linear
	}
	return s
}

// texParameter executes texparameter, about the texture of the last unit that was set.
func (r *scriptRunner) texParameter(c []string) error {
	if len(c) != 4 || c[1] != "2D" || r.last == nil {
		return &Unsupported{strings.Join(c, " ")}
	}
	switch {
	case (c[2] == "min" || c[2] == "mag") && c[3] == "nearest":
		r.last.linear = false
	case (c[2] == "min" || c[2] == "mag") && c[3] == "linear":
		r.last.linear = true
	case strings.HasPrefix(c[2], "wrap_") && c[3] == "repeat":
	default:
		return &Unsupported{strings.Join(c, " ")}
	}
	return nil
}
