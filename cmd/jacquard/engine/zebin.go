package engine

import (
	"context"
	"encoding/binary"
	"fmt"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/opencl"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/cmd/jacquard/amber"
	"jacquard.example/generated/target"
)

// dispatchZebin runs a program that was compiled as a zebin: it is written, read back, and
// launched from what its .ze_info says alone.
func (e *EU) dispatchZebin(ctx context.Context, p *compiled, c *amber.Call, surfaces []*eu.Surface) error {
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
	args, err := e.zebinArgs(p, c, surfaces)
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
func (e *EU) zebinArgs(p *compiled, c *amber.Call, surfaces []*eu.Surface) ([]opencl.Arg, error) {
	var args []opencl.Arg
	for _, s := range surfaces {
		args = append(args, opencl.Buffer(s.Data))
	}
	if len(c.PushConstants) < p.ABI.PushBytes {
		return nil, fmt.Errorf("the shader reads %d bytes of push constants, but the pipeline binds %d", p.ABI.PushBytes, len(c.PushConstants))
	}
	sizes := opencl.Value{}
	for i := range p.ABI.SizesCount {
		sizes = binary.LittleEndian.AppendUint32(sizes, uint32(len(surfaces[i].Data)))
	}
	base := opencl.Value{}
	for _, n := range e.Base {
		base = binary.LittleEndian.AppendUint32(base, n)
	}
	return append(args, base, opencl.Value(c.PushConstants[:p.ABI.PushBytes]), sizes), nil
}
