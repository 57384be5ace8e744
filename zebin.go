package jacquard

import (
	"fmt"

	"jacquard.example/backend/intel/zebin"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/target"
)

// Zebin returns the preferred variant as a zebin, the ELF file that Intel's Level Zero and OpenCL runtimes load. The
// program must have been compiled with Options.Zebin. The kernel has the entry point's name. Its arguments, which
// ZebinArguments lists, are in this order and without gaps in their indices:
//
//   - the entries of the binding table: pointers to global memory, whose addresses the
//     runtime also stores where the shader reads them, and images. A texel buffer is an image
//     made of a buffer, a storage image of cubes is an array of their faces, and a sampled
//     cube is an array of one cube. An image's format is that in ABI.Bindings;
//   - the samplers, whether combined with an image or not;
//   - the base of the workgroup ids, three 32-bit values;
//   - if the shader reads them, the push constants, by value;
//   - if the shader reads them, the sizes of the buffers in bytes, 32 bits for each entry of
//     the binding table.
//
// The last three have no counterpart in the format and are arguments by value. The file is deterministic: it depends
// only on the program.
func (p *Program) Zebin() ([]byte, error) {
	t, ok := target.ByName(string(p.Target))
	switch {
	case !ok || t.Zebin == nil:
		return nil, &Error{Msg: fmt.Sprintf("programs for %s cannot be written as a zebin", p.Target)}
	case p.ABI.Name != t.Zebin.Name:
		return nil, &Error{Msg: fmt.Sprintf("the program has the ABI %s; a zebin needs %s", p.ABI.Name, t.Zebin.Name)}
	case len(p.Variants) == 0 || len(p.Variants[0].Code) == 0:
		return nil, &Error{Msg: "the program has no code"}
	}
	v := &p.Variants[0]
	k, err := p.kernel(v, t.Zebin)
	if err != nil {
		return nil, err
	}
	k.GRFs = t.Registers.Registers
	return zebin.Write(k, v.Code, t.Product)
}

// kernel describes a variant for .ze_info.
func (p *Program) kernel(v *Variant, row *abi.ABI) (*zebin.Kernel, error) {
	const register = 32
	k := &zebin.Kernel{
		Name: p.Entry, SIMD: v.SIMD, SLM: (p.ABI.SharedBytes + 63) &^ 63,
		LocalIDSize: int(row.LocalIDs) * row.IDRegs(v.SIMD) * register,
	}
	if p.ABI.Barrier {
		k.Barriers = 1
	}
	for i, n := range p.ABI.LocalSize {
		k.RequiredSize[i] = int(n)
	}
	user := int(row.UserReg) * register
	place := func(v abi.Value) int {
		reg, dword, _ := row.PushDword(v)
		return int(reg)*register + 4*int(dword)
	}
	values := map[string]int{"base_group": place(abi.BaseGroupX), "push_constants": user, "buffer_sizes": user + p.ABI.SizesOffset}
	for index, a := range p.ZebinArguments() {
		if a.Entry < 0 {
			k.Args = append(k.Args, zebin.Argument{Type: "arg_byvalue", Offset: values[a.Kind], Size: a.Size, Index: index})
			continue
		}
		if a.Kind == samplerKind {
			arg, err := samplerArgument(a.Entry)
			if err != nil {
				return nil, err
			}
			arg.Index = index
			k.Args = append(k.Args, arg)
			continue
		}
		i := a.Entry
		r := &p.ABI.Bindings[i]
		arg := bufferArgument(r)
		if r.Shape != "" {
			var err error
			if arg, err = imageArgument(r); err != nil {
				return nil, err
			}
		}
		arg.Index = index
		k.Args = append(k.Args, arg)
		if i < p.ABI.AddressesCount && r.Shape == "" {
			arg.AddrMode, arg.Offset, arg.Size = "stateless", user+p.ABI.AddressesOffset+8*i, 8
			k.Args = append(k.Args, arg)
		}
		k.Bindings = append(k.Bindings, zebin.Binding{BTI: i, Index: index})
	}
	k.Args = append(k.Args, zebin.Argument{Type: "group_count", Offset: place(abi.NumGroupsX), Size: 12, Index: -1})
	if v.Scratch > 0 {
		k.Buffers = []zebin.Buffer{{Type: "scratch", Usage: "single_space", Size: v.Scratch}}
	}
	return k, nil
}
