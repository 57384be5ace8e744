package engine

import (
	"context"
	"encoding/binary"
	"fmt"

	"jacquard.example/backend/intel/eu/opencl"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/generated/target"
)

// dispatchZebin runs a program that was compiled as a zebin: it is written, read back, and
// launched from what its .ze_info says alone.
func (e *EU) dispatchZebin(ctx context.Context, p *compiled, c *amber.Call) error {
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
	t, _ := target.ByName(p.Target)
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

// zebinArgs are the arguments in the order that jacquard.Program.Zebin documents.
func (e *EU) zebinArgs(p *compiled, c *amber.Call) ([]opencl.Arg, error) {
	bindings, err := bindingsOf(p.Program, c)
	if err != nil {
		return nil, err
	}
	if len(c.PushConstants) < p.ABI.PushBytes {
		return nil, fmt.Errorf("the shader reads %d bytes of push constants, but the pipeline binds %d", p.ABI.PushBytes, len(c.PushConstants))
	}
	var args []opencl.Arg
	sizes := opencl.Value{}
	for i, b := range bindings {
		arg := argument(b, p.ABI.Bindings[i].Shape != "")
		args = append(args, arg)
		if i < p.ABI.SizesCount {
			buffer, _ := arg.(opencl.Buffer) // images have none
			sizes = binary.LittleEndian.AppendUint32(sizes, uint32(len(buffer)))
		}
	}
	base := opencl.Value{}
	for _, n := range e.Base {
		base = binary.LittleEndian.AppendUint32(base, n)
	}
	args = append(args, base)
	for _, v := range []opencl.Value{c.PushConstants[:p.ABI.PushBytes], sizes} {
		if len(v) > 0 {
			args = append(args, v)
		}
	}
	return args, nil
}

// argument is the argument for what is bound to a descriptor, possibly nothing.
func argument(b *amber.Binding, image bool) opencl.Arg {
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
