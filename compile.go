package jacquard

import (
	"context"
	"errors"

	"jacquard.example/backend/intel"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
)

// Compile compiles one entry point of a SPIR-V module. It is safe for
// concurrent use. Errors are *Error for what is wrong with the input and
// *InternalError for what is wrong with the compiler.
func Compile(ctx context.Context, source []byte, opts Options) (p *Program, err error) {
	defer recoverInternal(&err)
	fail := func(err error) (*Program, error) { return nil, inputError(opts.File, err) }
	s, err := read(source, &opts)
	if err != nil {
		return fail(err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := pass.New(s).Run(pass.Compute, nil); err != nil {
		return fail(err)
	}
	p = &Program{Target: opts.Target, Stage: "compute", Entry: s.FuncName(s.Entry())}
	if p.Target == "" {
		p.Target = DefaultTarget
	}
	simd := opts.SIMD
	if simd == 0 {
		simd = pickWidth(s)
	}
	var c intel.Compiler
	bin, err := c.Compile(s, intel.Options{SIMD: simd, Buffers: buffers(s)})
	if err != nil {
		return fail(err)
	}
	p.Variants = []Variant{{
		SIMD: bin.SIMD, Code: bin.Code, Scratch: int(bin.ABI.ScratchBytes),
		Stats: Stats{
			Instructions: bin.Stats.Instructions, Sends: bin.Stats.Sends, Loops: bin.Stats.Loops,
			Spills: bin.Stats.Spills, Fills: bin.Stats.Fills, Bytes: bin.Stats.Bytes, Registers: bin.Stats.Registers,
		},
	}}
	p.ABI = abiOf(s, bin)
	return p, nil
}

func read(source []byte, opts *Options) (*ir.Shader, error) {
	o := spirv.Options{Entry: opts.Entry, Stage: kind.StageCompute}
	for _, x := range opts.Specialize {
		o.Specialize = append(o.Specialize, spirv.Spec{ID: x.ID, Bits: x.Bits})
	}
	return spirv.Read(source, o)
}

// inputError says where in the input an error is, as far as it knows.
func inputError(file string, err error) error {
	var e *spirv.Error
	if !errors.As(err, &e) {
		return &Error{File: file, Msg: err.Error()}
	}
	if e.Op != "" {
		return WordError(file, e.Word, "%s: %s", e.Op, e.Msg)
	}
	return WordError(file, e.Word, "%s", e.Msg)
}

// pickWidth chooses the width of a shader: 16 lanes, 8 where a workgroup is no
// larger.
func pickWidth(s *ir.Shader) int {
	size := s.Info.WorkgroupSize
	if n := uint64(size[0]) * uint64(size[1]) * uint64(size[2]); n != 0 && n <= 8 {
		return 8
	}
	return 16
}

// buffers is the number of entries of the binding table.
func buffers(s *ir.Shader) int {
	n := uint32(0)
	for _, b := range s.Info.Bindings {
		n = max(n, b.Index+b.Count)
	}
	return int(n)
}

func abiOf(s *ir.Shader, bin *intel.Binary) ABI {
	a := ABI{
		Name: bin.ABI.Name, LocalSize: bin.ABI.WorkgroupSize, SharedBytes: int(bin.ABI.SharedBytes),
		PushBytes: int(bin.ABI.PushBytes), SizesOffset: int(bin.ABI.SizesOffset), SizesCount: bin.ABI.SizesCount,
		Bindings: make([]Resource, buffers(s)),
	}
	for _, b := range s.Info.Bindings {
		k := "storage"
		if b.Mode == kind.ModeUBO {
			k = "uniform"
		}
		for i := range b.Count {
			a.Bindings[b.Index+i] = Resource{Set: b.Set, Binding: b.Binding, Kind: k}
		}
	}
	return a
}
