// SPDX-License-Identifier: MIT

package kernel

import (
	"errors"
	"fmt"

	"jacquard.example/backend/intel/zebin"
	"jacquard.example/backend/launch"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/target"
)

// Program is the code of a compute shader.
type Program struct {
	Name    string
	SIMD    int
	Code    []byte
	Scratch int // bytes per thread
	ABI     *launch.ABI
}

// Write returns the program as a zebin for a target. The ABI must be the target's ABI for zebins.
func Write(p *Program, t *target.Target) ([]byte, error) {
	switch {
	case t == nil || t.Zebin == nil:
		return nil, fmt.Errorf("programs for %s cannot be written as a zebin", t)
	case p.ABI.Name != t.Zebin.Name:
		return nil, fmt.Errorf("the program has the ABI %s; a zebin needs %s", p.ABI.Name, t.Zebin.Name)
	case len(p.Code) == 0:
		return nil, errors.New("the program has no code")
	}
	k, err := p.describe(t.Zebin, t.Registers.Bytes)
	if err != nil {
		return nil, err
	}
	k.GRFs = t.Registers.Registers
	constants, code, err := p.constants(t)
	if err != nil {
		return nil, err
	}
	return zebin.Write(k, append(code, p.Code...), constants, t.CoreFamily)
}

// firstReg is the register after the thread's header.
const firstReg = 1

// inlineBytes is the size of the inline data, which are in the first register if the rest of the argument block is in memory
// (Alchemist PRM vol. 2a, COMPUTE_WALKER; ocloc 26.27 writes the same for lnl and bmg, whose registers have 64 bytes).
const inlineBytes = 32

// describe returns the description of the program for .ze_info, on a machine whose registers have some number of bytes.
func (p *Program) describe(row *abi.ABI, register int) (*zebin.Kernel, error) {
	k := &zebin.Kernel{
		Name: p.Name, SIMD: p.SIMD, SLM: (p.ABI.SharedBytes + 63) &^ 63,
		LocalIDSize: int(row.LocalIDs) * row.IDRegs(p.SIMD, register) * register,
	}
	if p.ABI.Barrier {
		k.Barriers = 1
	}
	for i, n := range p.ABI.LocalSize {
		k.RequiredSize[i] = int(n)
	}
	user := int(row.UserReg) * register
	if _, ok := row.HeaderField(abi.PushAddress); ok {
		k.InlineData = inlineBytes
		user = inlineBytes + int(row.UserReg-row.PushReg)*register
	}
	var missing error
	place := func(v abi.Value) int {
		if reg, dword, ok := row.PushDword(v, register); ok {
			return int(reg)*register + 4*int(dword)
		}
		f, ok := row.HeaderField(v)
		if !ok {
			missing = fmt.Errorf("the payload of %s has no place for %v", row.Name, v)
			return 0
		}
		return int(f.Reg-firstReg)*register + 4*int(f.Dword)
	}
	values := map[string]int{"base_group": place(abi.BaseGroupX), "push_constants": user, "buffer_sizes": user + p.ABI.SizesOffset}
	for index, a := range Arguments(p.ABI) {
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
	if p.Scratch > 0 {
		k.Buffers = []zebin.Buffer{{Type: "scratch", Usage: "single_space", Size: p.Scratch}}
	}
	return k, missing
}
