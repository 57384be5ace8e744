package piglit

import (
	"strconv"
	"strings"

	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// between is the time between the starts of two dispatches, in cycles of the clock.
const between = 1 << 40

// dispatch runs the shader with everything that is bound.
func (r *runner) dispatch(groups [3]uint32) error {
	call := &amber.Call{Shader: &amber.Shader{Name: "test"}, Entry: "main", Groups: groups, Clock: r.runs * between}
	r.runs++
	for i := range r.module.vars {
		v := &r.module.vars[i]
		b := &amber.Binding{Binding: v.binding}
		bind := r.buffer
		if v.class == classUniformConstant {
			bind = r.image
		}
		if err := bind(v, b); err != nil {
			return err
		}
		call.Bindings = append(call.Bindings, *b)
	}
	return r.engine.Dispatch(r.ctx, call)
}

// image binds what a variable's unit has: an image, or a texture with a sampler. A
// unit that has nothing has an image without memory, which reads as zero.
func (r *runner) image(v *variable, b *amber.Binding) error {
	unit, set := r.units[v.name]
	if !set {
		unit = int(v.binding) // what a layout says is the first unit
	}
	m := r.images[unit]
	b.Kind = amber.StorageImage
	if t := r.module.types[v.typ]; t == nil || t.op != opTypeImage {
		m = r.textures[unit]
		sampler := texture.DefaultSampler()
		b.Kind, b.Sampler = amber.CombinedImageSampler, &sampler
	}
	if m == nil {
		return nil
	}
	b.Image = &amber.Image{Format: texture.Of(m.format), Dim: kind.Dim2D, Width: m.width, Height: m.height, Depth: 1, Levels: 1, Samples: 1, Layers: 1}
	b.Data = m.data
	return nil
}

// buffer binds the buffer of a block. A block without a binding has 0 in OpenGL, and
// any here.
func (r *runner) buffer(v *variable, b *amber.Binding) error {
	if v.class == classUniform && !r.module.buffer[v.typ] {
		b.Kind = amber.Uniform
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
	case b.Kind == amber.Uniform:
		return &Unsupported{"a uniform block"}
	default:
		if b.Data = r.ssbos[v.binding]; b.Data == nil {
			b.Data = r.ssbos[0]
		}
	}
	return nil
}
