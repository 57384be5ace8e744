// SPDX-License-Identifier: MIT

package engine

import (
	"context"
	"encoding/binary"
	"fmt"

	"jacquard.example/backend/intel/eu/opencl"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
)

// dispatchZebin runs a program that was compiled as a zebin: it writes the zebin, reads it back, and launches it from
// its .ze_info alone.
func (e *EU) dispatchZebin(ctx context.Context, p *compiled, c *runner.Call) error {
	file, err := p.Zebin()
	if err != nil {
		return err
	}
	m, err := zebin.Read(file)
	if err != nil {
		return err
	}
	k, err := m.Kernel("")
	if err != nil {
		return err
	}
	if e.Kernel != nil {
		e.Kernel(k)
	}
	t, _ := target.ByName(string(p.Target))
	row := *t.Zebin
	row.Push, row.UserReg = nil, 0 // the argument block comes from .ze_info
	args, err := e.zebinArgs(p, c)
	if err != nil {
		return err
	}
	d, err := opencl.Machine{Target: t, ABI: &row}.New(m, k, c.Groups, p.ABI.LocalSize, args...)
	if err != nil {
		return fmt.Errorf("the zebin of shader %s cannot be launched: %w", c.Shader.Name, err)
	}
	return e.launch(ctx, p, c, d)
}

// zebinArgs returns the kernel arguments in the order of jacquard.Program.ZebinArguments.
func (e *EU) zebinArgs(p *compiled, c *runner.Call) ([]opencl.Arg, error) {
	bindings, err := bindingsOf(p.Program, c, p.needs)
	if err != nil {
		return nil, err
	}
	if len(c.PushConstants) < p.ABI.PushBytes {
		return nil, fmt.Errorf("the shader reads %d bytes of push constants, but the pipeline binds %d", p.ABI.PushBytes,
			len(c.PushConstants))
	}
	var args []opencl.Arg
	samplers := samplersOf(p.Program, c)
	for _, a := range p.ZebinArguments() {
		if a.Kind == "sampler" {
			args = append(args, opencl.Sampler{Sampler: samplers[a.Entry]})
			continue
		}
		if a.Entry >= 0 {
			args = append(args, argument(bindings[a.Entry], p.ABI.Bindings[a.Entry].Shape != ""))
			continue
		}
		value := opencl.Value{}
		switch a.Kind {
		case "base_group":
			for _, n := range e.Base {
				value = binary.LittleEndian.AppendUint32(value, n)
			}
		case "push_constants":
			value = c.PushConstants[:a.Size]
		case "buffer_sizes":
			for i := range a.Size / 4 {
				buffer, _ := args[i].(opencl.Buffer) // an image has no buffer
				value = binary.LittleEndian.AppendUint32(value, uint32(len(buffer)))
			}
		}
		args = append(args, value)
	}
	return args, nil
}

// argument returns the kernel argument for a binding, which may be nil.
func argument(b *runner.Binding, image bool) opencl.Arg {
	switch {
	case image && b == nil:
		return opencl.Image{}
	case image:
		return opencl.Image{Image: textureOf(b)}
	case b == nil:
		return opencl.Buffer{}
	}
	return opencl.Buffer(b.Data)
}
