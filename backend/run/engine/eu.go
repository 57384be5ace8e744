// SPDX-License-Identifier: MIT

package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/pass"
	"jacquard.example/core/spirv"
	"jacquard.example/core/texture"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// Module returns the SPIR-V of a script's shader.
type Module func(context.Context, *runner.Shader) ([]byte, error)

// EU compiles shaders and runs the machine code on the model of the execution
// units. It must be used for only one script at a time.
type EU struct {
	Module Module
	// Options are the compiler's options. The script sets the entry point, the specialization and, if it requires
	// one, the width.
	Options jacquard.Options
	// Execution sets how strict the model is.
	Execution eu.Options
	// Costs, if not nil, replaces the target's costs in the model.
	Costs *latency.Costs
	// Observe, if not nil, is called after each dispatch, and after each draw for each of its stages, with the costs
	// that the model counted. Program.Stage is the stage; the call has its shader and bindings.
	Observe func(c *runner.Call, p *jacquard.Program, cost *eu.Account)
	// Profiles, if not nil, receives a profile of each program.
	Profiles map[*jacquard.Program]*eu.Profile
	// For Options.Zebin: Kernel, if not nil, may change the kernel read from the zebin before it is launched; Base is
	// the base of the workgroup ids.
	Kernel func(*zebin.Kernel)
	Base   [3]uint32

	programs map[string]*compiled
}

type compiled struct {
	*jacquard.Program
	abi  *abi.ABI
	code *eu.Program // code of the preferred variant

	module []byte
	read   spirv.Options
	used   map[[2]uint32]bool // the descriptors that the shader refers to, computed on demand
}

// Dispatch implements runner.Engine.
func (e *EU) Dispatch(ctx context.Context, c *runner.Call) error {
	p, err := e.compile(ctx, c)
	if err != nil {
		return err
	}
	if e.Options.Zebin {
		return e.dispatchZebin(ctx, p, c)
	}
	surfaces, err := surfacesOf(p.Program, c, p.needs)
	if err != nil {
		return err
	}
	mapped := mapBuffers(&p.ABI, surfaces)
	push, err := userData(&p.ABI, c.PushConstants, surfaces, mapped)
	if err != nil {
		return err
	}
	v := &p.Variants[0]
	return e.launch(ctx, p, c, &eu.Dispatch{
		Program:          p.code,
		SIMD:             v.SIMD,
		Groups:           c.Groups,
		LocalSize:        p.ABI.LocalSize,
		Surfaces:         surfaces,
		Mappings:         mapped,
		Samplers:         samplersOf(p.Program, c),
		SLMSize:          p.ABI.SharedBytes,
		ScratchPerThread: v.Scratch,
		Payload:          eu.ComputePayload(p.abi, push),
	})
}

// launch runs a dispatch of a program.
func (e *EU) launch(ctx context.Context, p *compiled, c *runner.Call, d *eu.Dispatch) error {
	d.Options = e.Execution
	d.Options.Clock += c.Clock
	if e.Observe != nil {
		d.Options.Account = new(eu.Account)
	}
	d.Options.Profile = e.profile(p.Program)
	defer pad(d)()
	if _, err := eu.Run(ctx, d); err != nil {
		return err
	}
	if e.Observe != nil {
		e.Observe(c, p.Program, d.Options.Account)
	}
	return nil
}

// profile returns the profile of a program, or nil if none is requested.
func (e *EU) profile(p *jacquard.Program) *eu.Profile {
	if e.Profiles == nil {
		return nil
	}
	if e.Profiles[p] == nil {
		e.Profiles[p] = new(eu.Profile)
	}
	return e.Profiles[p]
}

// compile compiles the shader of a call, once for each combination of shader, passes
// and options.
func (e *EU) compile(ctx context.Context, c *runner.Call) (*compiled, error) {
	opts := e.Options
	opts.File, opts.Entry = "shader "+c.Shader.Name, c.Entry
	if c.Subgroup.Require == runner.SubgroupExact {
		opts.SIMD = int(c.Subgroup.Size)
	}
	for _, s := range c.Specialize {
		opts.Specialize = append(opts.Specialize, jacquard.Specialization{ID: s.ID, Bits: s.Bits, Size: s.Size})
	}
	for i := range c.Bindings { // arrays of unknown length are sized by their bindings
		opts.Descriptors = max(opts.Descriptors, pass.DefaultDescriptors, int(c.Bindings[i].Element)+1)
	}
	key := fmt.Sprint(c.Shader.Name, c.Shader.Passes, opts)
	if p := e.programs[key]; p != nil {
		return p, nil
	}
	module, err := e.Module(ctx, c.Shader)
	if err != nil {
		return nil, err
	}
	program, err := jacquard.Compile(ctx, module, opts)
	if err != nil {
		return nil, err
	}
	if len(program.Variants) == 0 {
		return nil, fmt.Errorf("shader %s: the compiler returned no machine code", c.Shader.Name)
	}
	machine, err := launcher(program)
	if err != nil {
		return nil, fmt.Errorf("shader %s %w", c.Shader.Name, err)
	}
	if e.Costs != nil {
		other := *machine
		other.Costs, machine = e.Costs, &other
	}
	p := &compiled{Program: program, abi: rowOf(machine, program), code: eu.Load(machine, program.Variants[0].Code), module: module}
	p.read = spirv.Options{Entry: opts.Entry}
	if stage, ok := kind.EnumStage.Value(string(opts.Stage)); ok {
		p.read.Stage = kind.Stage(stage)
	}
	if e.programs == nil {
		e.programs = map[string]*compiled{}
	}
	e.programs[key] = p
	return p, nil
}

// launcher returns the machine that launches a program, which must have the ABI that the
// program was compiled for.
func launcher(p *jacquard.Program) (*target.Target, error) {
	t, ok := target.ByName(string(p.Target))
	a := &p.ABI
	if !ok || rowOf(t, p) == nil {
		return nil, fmt.Errorf("was compiled for %s, ABI %s, version %d (%s), which the model cannot launch", p.Target, a.Name,
			a.Version, a.Hash)
	}
	return t, nil
}

// rowOf returns the machine's ABI row that a program was compiled for, or nil if it has none.
func rowOf(t *target.Target, p *jacquard.Program) *abi.ABI {
	for _, row := range []*abi.ABI{t.ABI, t.Zebin, t.Vertex, t.Fragment} {
		if row != nil && row.Name == p.ABI.Name && row.Hash == p.ABI.Hash {
			return row
		}
	}
	return nil
}

// Buffers get addresses above 4 GiB, far apart, so that a lost upper half or an access outside of a buffer is
// detected. A buffer larger than below crosses a multiple of 4 GiB, so that a lost carry is detected as well.
const (
	firstAddress = 0x7ffe_0000_0000
	addressGap   = 1 << 32
	below        = 64
)

// mapBuffers assigns addresses to the buffers that a program accesses by address: one mapping for each entry of its
// table of addresses. The mappings of images and unbound entries have no data.
func mapBuffers(a *jacquard.ABI, surfaces []*eu.Surface) []eu.Mapping {
	var out []eu.Mapping
	for i, s := range surfaces[:min(a.AddressesCount, len(surfaces))] {
		m := eu.Mapping{}
		if s != nil && len(s.Data) > 0 {
			m = eu.Mapping{Addr: firstAddress + uint64(i)*addressGap - below, Data: s.Data}
		}
		out = append(out, m)
	}
	return out
}

// userData returns the data that follows the launcher's own push data: push constants,
// then the sizes of buffers, then their addresses.
func userData(a *jacquard.ABI, push []byte, surfaces []*eu.Surface, mapped []eu.Mapping) ([]byte, error) {
	if len(push) < a.PushBytes {
		return nil, fmt.Errorf("the shader reads %d bytes of push constants, but the pipeline binds %d", a.PushBytes, len(push))
	}
	if a.SizesCount > len(surfaces) {
		return nil, fmt.Errorf("the program expects the sizes of %d buffers, but has %d", a.SizesCount, len(surfaces))
	}
	if a.AddressesCount > len(mapped) {
		return nil, fmt.Errorf("the program expects the addresses of %d buffers, but has %d", a.AddressesCount, len(mapped))
	}
	data := make([]byte, max(a.PushBytes, a.SizesOffset), a.PushBytes+a.SizesOffset+4*a.SizesCount)
	copy(data, push[:a.PushBytes])
	for _, s := range surfaces[:a.SizesCount] {
		size := 0 // for an image
		if s != nil {
			size = len(s.Data)
		}
		data = binary.LittleEndian.AppendUint32(data, uint32(size))
	}
	if a.AddressesCount > 0 {
		data = append(data, make([]byte, max(0, a.AddressesOffset-len(data)))...)
	}
	for _, m := range mapped[:a.AddressesCount] {
		data = binary.LittleEndian.AppendUint64(data, m.Addr)
	}
	return data, nil
}

// surfacesOf returns the surfaces of the call's bindings in the order of the program's binding table. Unbound images
// are null surfaces.
func surfacesOf(p *jacquard.Program, c *runner.Call, needed needs) ([]*eu.Surface, error) {
	bindings, err := bindingsOf(p, c, needed)
	if err != nil {
		return nil, err
	}
	var surfaces []*eu.Surface
	for i, b := range bindings {
		r := &p.ABI.Bindings[i]
		s := surface(b, r.Shape != "")
		if r.Surface != nil && s != nil && s.Image != nil { // typed messages use the surface of the ABI, not of the bound image
			if s.Format = isa.SurfaceFormatCoded(r.Surface.Code); s.Format == nil {
				return nil, fmt.Errorf("set %d binding %d: there is no surface format %#x", r.Set, r.Binding, r.Surface.Code)
			}
		}
		surfaces = append(surfaces, s)
	}
	return surfaces, nil
}

// bindingsOf returns the call's bindings in the order of the program's binding table. Unbound elements of an array
// and descriptors that need not be bound are nil.
func bindingsOf(p *jacquard.Program, c *runner.Call, needed needs) ([]*runner.Binding, error) {
	var bindings []*runner.Binding
	for i, r := range p.ABI.Bindings {
		if r.Kind == "unused" {
			bindings = append(bindings, nil)
			continue
		}
		if r.Kind == "constants" {
			bindings = append(bindings, &runner.Binding{Kind: runner.Uniform, Data: p.ABI.Constants})
			continue
		}
		element := elementOf(p.ABI.Bindings, i)
		b, err := bound(c, r.Set, r.Binding, element, r.Kind)
		if err != nil {
			return nil, err
		}
		if b == nil && element == 0 && needed(r.Set, r.Binding) { // not every element of an array needs to be bound
			return nil, fmt.Errorf("the shader's %s at set %d binding %d is not bound", noun(r.Kind), r.Set, r.Binding)
		}
		if err := readable(string(p.Target), &r, b); err != nil {
			return nil, err
		}
		bindings = append(bindings, b)
	}
	return bindings, nil
}

// readable rejects an image that the shader reads without a declared format if the target does not convert that
// format on reads.
func readable(machine string, r *jacquard.Resource, b *runner.Binding) error {
	if b == nil || len(r.Unreadable) == 0 {
		return nil
	}
	m := textureOf(b)
	if m == nil {
		return nil
	}
	if row := isa.SurfaceFormatOf(m.Format.Name); row != nil && !slices.Contains(r.Unreadable, m.Format.Name) {
		return nil
	}
	return fmt.Errorf("set %d binding %d has the format %s, which %s cannot read from an image whose format the shader does not declare",
		r.Set, r.Binding, m.Format.Name, machine)
}

// samplersOf returns the samplers of the call's bindings at their indices in the program.
func samplersOf(p *jacquard.Program, c *runner.Call) []*texture.Sampler {
	var samplers []*texture.Sampler
	for i, r := range p.ABI.Samplers {
		element := elementOf(p.ABI.Samplers, i)
		samplers = append(samplers, nil)
		for k := range c.Bindings {
			if b := &c.Bindings[k]; b.Set == r.Set && b.Binding == r.Binding && b.Element == element {
				samplers[i] = b.Sampler
			}
		}
	}
	return samplers
}

// elementOf returns the index of an entry in its array of descriptors, or 0 if it is not in an array. The elements of an
// array are adjacent.
func elementOf(table []jacquard.Resource, i int) uint32 {
	r, n := &table[i], uint32(0)
	for i--; i >= 0 && table[i].Set == r.Set && table[i].Binding == r.Binding; i-- {
		n++
	}
	return n
}

// surface returns the surface that the model accesses through a descriptor. An unbound image is nil, an unbound
// buffer an empty surface.
func surface(b *runner.Binding, image bool) *eu.Surface {
	switch {
	case b == nil && image:
		return nil
	case b == nil:
		return &eu.Surface{}
	}
	m := textureOf(b)
	switch {
	case m == nil:
		return &eu.Surface{Data: b.Data}
	case b.Kind == runner.StorageImage:
		return thread.StorageSurface(m)
	}
	return &eu.Surface{Image: m}
}

// textureOf returns the image that a descriptor binds, or nil if it is a buffer.
func textureOf(b *runner.Binding) *texture.Image {
	if b.Texture == nil && b.Image != nil {
		return b.Image.Texture(b.Data, b.BaseLevel)
	}
	return b.Texture
}

// bound returns the binding of a descriptor, or of one element of a descriptor array, or nil if there is none.
func bound(c *runner.Call, set, binding, element uint32, kind string) (*runner.Binding, error) {
	for i := range c.Bindings {
		b := &c.Bindings[i]
		if b.Set != set || b.Binding != binding || b.Element != element {
			continue
		}
		if b.Kind.String() != kind && (b.Kind != runner.CombinedImageSampler || kind != "combined") {
			return nil, fmt.Errorf("set %d binding %d is bound as %s, but the shader declares a %s there", set, binding, b.Kind, noun(kind))
		}
		return b, nil
	}
	return nil, nil
}

// noun names a kind of resource in messages.
func noun(kind string) string {
	if kind == "storage" || kind == "uniform" {
		return kind + " buffer"
	}
	return kind
}
