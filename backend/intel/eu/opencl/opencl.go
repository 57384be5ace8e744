// SPDX-License-Identifier: MIT

package opencl

import (
	"encoding/binary"
	"fmt"
	"slices"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/target"
)

// Arg is a kernel argument: Buffer, Value, Local, Image or Sampler.
type Arg interface{ arg() }

// Buffer is global or constant memory.
type Buffer []byte

// Value is an argument passed by value, as bytes.
type Value []byte

// Local is an argument in shared memory: the size in bytes that the launch provides.
type Local int

func (Buffer) arg() {}
func (Value) arg()  {}
func (Local) arg()  {}

// Uint32 returns a 32-bit value argument.
func Uint32(v uint32) Value { return binary.LittleEndian.AppendUint32(nil, v) }

// Buffers get addresses far apart and above 4 GiB, so that an address without its upper half and an access outside a
// buffer are detected.
const (
	firstAddress = 0x5_0000_0000
	addressGap   = 1 << 20
)

// Addresses of the module's data.
const (
	constAddr  uint64 = firstAddress
	strAddr    uint64 = firstAddress + 1<<32
	globalAddr uint64 = firstAddress + 2<<32
)

type builder struct {
	k     *zebin.Kernel
	d     *eu.Dispatch
	args  []Arg
	addr  map[int]uint64 // argument → address
	next  uint64
	block []byte
	slm   map[int]uint32
}

func (b *builder) mapData(data []byte) uint64 {
	addr := b.next
	b.d.Mappings = append(b.d.Mappings, eu.Mapping{Addr: addr, Data: data})
	b.next += (uint64(len(data)) + 2*addressGap - 1) &^ (addressGap - 1)
	return addr
}

// Machine is the machine that a kernel was compiled for.
type Machine struct {
	Target *target.Target
	ABI    *abi.ABI // payload layout of its threads
}

// New returns the dispatch of a kernel over groups workgroups of local invocations each. Buffers are used in
// place: after the run they contain the kernel's writes.
func (on Machine) New(m *zebin.Module, k *zebin.Kernel, groups, local [3]uint32, args ...Arg) (*eu.Dispatch, error) {
	b := &builder{k: k, args: args, next: firstAddress, addr: map[int]uint64{}, slm: map[int]uint32{}}
	b.d = &eu.Dispatch{SIMD: k.SIMD, Groups: groups, LocalSize: local}
	if k.RequiredSize != [3]int{} && k.RequiredSize != [3]int{int(local[0]), int(local[1]), int(local[2])} {
		return nil, fmt.Errorf("opencl: kernel %s was compiled for workgroups of %v, not %v", k.Name, k.RequiredSize, local)
	}
	im, err := m.Link(k, constAddr, strAddr, globalAddr)
	if err != nil {
		return nil, err
	}
	b.d.Program = eu.Load(on.Target, im.Text)
	for _, s := range []struct {
		addr uint64
		data []byte
	}{{constAddr, im.Const}, {strAddr, im.Str}, {globalAddr, im.Global}} {
		if len(s.data) > 0 {
			b.d.Mappings = append(b.d.Mappings, eu.Mapping{Addr: s.addr, Data: s.data})
		}
	}
	b.next = firstAddress + 3<<32
	if err := b.memory(); err != nil {
		return nil, err
	}
	b.block = make([]byte, k.BlockSize())
	for i := range k.Args {
		if err := b.argument(&k.Args[i]); err != nil {
			return nil, err
		}
	}
	if k.InlineData > inlineBytes {
		return nil, fmt.Errorf("opencl: kernel %s has %d bytes of inline data; the limit is %d", k.Name, k.InlineData, inlineBytes)
	}
	if k.InlineData > 0 {
		b.inMemory(on.ABI)
		return b.d, nil
	}
	row := *on.ABI
	if k.LocalIDSize == 0 {
		// Hardware still delivers one register of per-thread data.
		row.LocalIDs, row.UserReg = 0, row.LocalIDReg+1
	} else {
		grf := b.d.Program.GRF
		row.LocalIDs = uint8(k.LocalIDSize / (grf * row.IDRegs(k.SIMD, grf)))
	}
	block := b.block
	b.d.Payload = func(l *eu.Launch, grf *eu.GRFs) { l.Fill(&row, grf, block) }
	return b.d, nil
}

// memory allocates buffers, shared memory and scratch space.
func (b *builder) memory() error {
	surfaces := 0
	for _, bind := range b.k.Bindings {
		surfaces = max(surfaces, bind.BTI+1)
	}
	b.d.Surfaces = make([]*eu.Surface, surfaces)
	for i, a := range b.args {
		if buf, ok := a.(Buffer); ok {
			b.addr[i] = b.mapData(buf)
		}
	}
	for _, bind := range b.k.Bindings {
		if bind.Index < 0 || bind.Index >= len(b.args) {
			return fmt.Errorf("opencl: kernel %s binds argument %d, which was not given", b.k.Name, bind.Index)
		}
		i := slices.IndexFunc(b.k.Args, func(a zebin.Argument) bool {
			return a.Index == bind.Index && a.Type == "arg_bypointer" && a.AddrMode == "stateful"
		})
		if i < 0 {
			return fmt.Errorf("opencl: kernel %s binds argument %d, which is not declared as stateful", b.k.Name, bind.Index)
		}
		surface, err := surfaceOf(b.args[bind.Index], &b.k.Args[i])
		if err != nil {
			return fmt.Errorf("opencl: argument %d of kernel %s %w", bind.Index, b.k.Name, err)
		}
		b.d.Surfaces[bind.BTI] = surface
	}
	if err := b.samplers(); err != nil {
		return err
	}
	// Dynamic shared memory follows the static part; offsets are relative to its start.
	dynamic := uint32(0)
	for i, a := range b.args {
		if n, ok := a.(Local); ok {
			b.slm[i] = dynamic
			dynamic += (uint32(n) + 15) &^ 15
		}
	}
	b.d.SLMSize = b.k.SLM + int(dynamic)
	for _, buf := range b.k.Buffers {
		if buf.Type == "scratch" {
			size := 1024
			for size < buf.Size {
				size *= 2
			}
			b.d.ScratchPerThread = max(b.d.ScratchPerThread, size)
		}
	}
	return nil
}

// surfaceOf returns the surface of an argument that the kernel declares as stateful.
func surfaceOf(arg Arg, a *zebin.Argument) (*eu.Surface, error) {
	switch arg := arg.(type) {
	case Buffer:
		if a.AddrSpace == "global" || a.AddrSpace == "constant" {
			return &eu.Surface{Data: arg}, nil
		}
	case Image:
		if a.AddrSpace == "image" {
			return arg.surface(a.Image)
		}
	}
	return nil, fmt.Errorf("is a %T, but the kernel expects %s %s", arg, a.AddrSpace, a.Image)
}

// argument stores one entry of the argument block.
func (b *builder) argument(a *zebin.Argument) error {
	out := b.block[a.Offset:][:a.Size]
	put := func(v ...uint32) {
		for i := 0; i*4+4 <= len(out) && i < len(v); i++ {
			binary.LittleEndian.PutUint32(out[4*i:], v[i])
		}
	}
	put64 := func(v uint64) { put(uint32(v), uint32(v>>32)) }
	d := b.d
	switch a.Type {
	case "global_id_offset":
		put(0, 0, 0)
		return nil
	case "local_size", "enqueued_local_size":
		put(d.LocalSize[:]...)
		return nil
	case "group_count":
		put(d.Groups[:]...)
		return nil
	case "global_size":
		put(d.Groups[0]*d.LocalSize[0], d.Groups[1]*d.LocalSize[1], d.Groups[2]*d.LocalSize[2])
		return nil
	case "work_dimensions":
		n := uint32(3)
		for n > 1 && d.Groups[n-1]*d.LocalSize[n-1] == 1 {
			n--
		}
		put(n)
		return nil
	case "const_base":
		put64(constAddr)
		return nil
	case "global_base":
		put64(globalAddr)
		return nil
	case "buffer_offset":
		put(0)
		return nil
	case "private_base_stateless":
		for _, buf := range b.k.Buffers {
			if buf.Type == "global" {
				put64(b.mapData(make([]byte, buf.Size*b.k.SIMD*1024)))
			}
		}
		return nil
	}
	if a.Index < 0 || a.Index >= len(b.args) {
		return fmt.Errorf("opencl: kernel %s: argument type %q (argument %d) is not supported or was not given", b.k.Name, a.Type, a.Index)
	}
	switch v := b.args[a.Index].(type) {
	case Value:
		if a.Type == "arg_byvalue" && a.Source+a.Size <= max(len(v), 4) {
			copy(out, v[min(a.Source, len(v)):])
			return nil
		}
	case Buffer:
		if a.Type == "buffer_address" || a.Type == "arg_bypointer" && (a.AddrSpace == "global" || a.AddrSpace == "constant") {
			put64(b.addr[a.Index])
			return nil
		}
	case Image:
		if x, ok := v.info(a.Type); ok {
			put(x)
			return nil
		}
		if a.Type == "arg_bypointer" && a.AddrSpace == "image" && a.AddrMode == "stateful" {
			return nil
		}
	case Sampler:
		switch {
		case a.Type == "sampler_snap_wa":
			put(v.snap())
			return nil
		case a.Type == "arg_bypointer" && a.AddrSpace == "sampler" && a.AddrMode == "stateful":
			return nil
		}
	case Local:
		if a.Type == "arg_bypointer" && a.AddrMode == "slm" {
			put(b.slm[a.Index])
			return nil
		}
	}
	return fmt.Errorf("opencl: kernel %s: argument %d is a %T, but the kernel expects %s %s %s of %d bytes", b.k.Name, a.Index,
		b.args[a.Index], a.Type, a.AddrMode, a.AddrSpace, a.Size)
}
