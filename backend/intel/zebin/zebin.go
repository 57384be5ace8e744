// SPDX-License-Identifier: MIT

package zebin

import (
	"encoding/binary"
	"strings"
)

// Module is a compute binary.
type Module struct {
	Kernels []*Kernel
	Const   []byte // program-scope constants
	Strings []byte // printf strings
	Global  []byte // program-scope variables

	secs []section
	text map[string]int // sections by name
	syms []symbol
}

// Kernel is one kernel and its requirements.
type Kernel struct {
	Name         string
	SIMD         int
	GRFs         int
	Barriers     int
	SLM          int    // bytes of static shared memory
	RequiredSize [3]int // workgroup size the code was compiled for; zero if any is possible
	LocalIDSize  int    // bytes of local ids per thread, or 0 if the kernel uses none
	InlineData   int    // bytes of the argument block that threads get in registers, if the rest is in memory
	Args         []Argument
	Bindings     []Binding
	Buffers      []Buffer
	Samplers     []Sampler // samplers declared in the program

	text int // index of the code's section
}

// Argument is an entry of the argument block.
type Argument struct {
	Type         string // arg_byvalue, arg_bypointer, local_size, …
	Offset, Size int    // bytes in the block; an argument of size 0 is not in the block
	Index        int    // number of the kernel argument, or -1 if implicit
	Source       int    // byte offset inside a by-value argument
	AddrMode     string // stateful, stateless, bindless, slm
	AddrSpace    string // global, local, constant, image, sampler
	Access       string // readonly, writeonly, readwrite
	Image        string // shape of an image: image_2d, image_3d, image_buffer, …
	Sampler      int    // index of the sampler state, for AddrSpace sampler
}

// Sampler is a sampler declared in a program.
type Sampler struct {
	Index        int    // index of the sampler state
	Addr, Filter string // none, clamp_border, clamp_edge, repeat, mirror; nearest, linear
	Normalized   bool   // coordinates range from 0 to 1 instead of over texels
}

// Binding is the binding table index of a kernel argument.
type Binding struct{ BTI, Index int }

// Buffer is memory that each thread needs.
type Buffer struct {
	Type, Usage string
	Size, Slot  int
}

// noKernel is the name under which .ze_info lists the symbols of exported variables, as if they were a kernel.
const noKernel = "Intel_Symbol_Table_Void_Program"

// maxInfo limits the size in bytes of the text that describes the kernels.
const maxInfo = 1 << 22

// maxSamplers limits the indices of sampler states: descriptors have four bits for them.
const maxSamplers = 16

// Read decodes a file.
func Read(file []byte) (*Module, error) {
	secs, err := readSections(file)
	if err != nil {
		return nil, err
	}
	m := &Module{secs: secs, text: map[string]int{}}
	var info *section
	for i := range secs {
		s := &secs[i]
		m.text[s.name] = i
		switch {
		case s.typ == shtZEInfo:
			if info != nil {
				return nil, errorf("two .ze_info sections")
			}
			if len(s.data) > maxInfo {
				return nil, errorf("the .ze_info section has %d bytes; the limit is %d", len(s.data), maxInfo)
			}
			info = s
		case s.typ == shtSymtab:
			if m.syms, err = readSymbols(secs, s); err != nil {
				return nil, err
			}
		case s.name == ".data.const":
			m.Const = s.data
		case s.name == ".data.const.string":
			m.Strings = s.data
		case s.name == ".data.global":
			m.Global = s.data
		}
	}
	if info == nil {
		return nil, errorf("there is no .ze_info section")
	}
	root, err := parseYAML(string(info.data))
	if err != nil {
		return nil, err
	}
	for _, n := range root.items("kernels") {
		if n.str("name") == noKernel {
			continue
		}
		k, err := m.kernel(n)
		if err != nil {
			return nil, err
		}
		m.Kernels = append(m.Kernels, k)
	}
	return m, nil
}

// Kernel returns a kernel by name; "" means the only one.
func (m *Module) Kernel(name string) (*Kernel, error) {
	if name == "" && len(m.Kernels) == 1 {
		return m.Kernels[0], nil
	}
	for _, k := range m.Kernels {
		if k.Name == name {
			return k, nil
		}
	}
	return nil, errorf("there is no kernel %q", name)
}

// numbers reads several keys of a map and stops at the first error.
type numbers struct {
	n   *node
	err error
}

func (r *numbers) get(key string, def int) int {
	v, err := r.n.num(key, def)
	if err != nil && r.err == nil {
		r.err = err
	}
	return v
}

func (m *Module) kernel(n *node) (*Kernel, error) {
	k := &Kernel{Name: n.str("name"), text: -1}
	if at, ok := m.text[textPrefix+k.Name]; ok {
		k.text = at
	} else {
		return nil, errorf("kernel %q has no code", k.Name)
	}
	env := &numbers{n: n.get("execution_env")}
	k.SIMD = env.get("simd_size", 0)
	k.GRFs = env.get("grf_count", 128)
	k.Barriers = env.get("barrier_count", 0)
	k.SLM = env.get("slm_size", 0)
	k.InlineData = env.get("inline_data_payload_size", 0)
	if env.err != nil {
		return nil, env.err
	}
	switch k.SIMD {
	case 1, 8, 16, 32:
	default:
		return nil, errorf("kernel %q: simd_size must be 1, 8, 16 or 32, not %d", k.Name, k.SIMD)
	}
	if k.SLM < 0 || k.SLM > 1<<16 {
		return nil, errorf("kernel %q: slm_size must be from 0 to %d, not %d", k.Name, 1<<16, k.SLM)
	}
	size := env.n.items("required_work_group_size")
	for i, s := range size {
		if len(size) != 3 {
			return nil, errorf("kernel %q: required_work_group_size must have three numbers", k.Name)
		}
		v, err := s.int("required_work_group_size")
		if err != nil {
			return nil, err
		}
		k.RequiredSize[i] = v
	}
	for _, a := range n.items("payload_arguments") {
		r := &numbers{n: a}
		arg := Argument{Type: a.str("arg_type"), Offset: r.get("offset", 0), Size: r.get("size", 0), Index: r.get("arg_index", -1),
			Source: r.get("source_offset", 0), AddrMode: a.str("addrmode"), AddrSpace: a.str("addrspace"),
			Access: a.str("access_type"), Image: a.str("image_type"), Sampler: r.get("sampler_index", 0)}
		if r.err != nil {
			return nil, r.err
		}
		if arg.Offset < 0 || arg.Size < 0 || arg.Offset+arg.Size > 4096 || arg.Source < 0 || arg.Sampler < 0 || arg.Sampler >= maxSamplers {
			return nil, errorf(".ze_info:%d: argument out of range: offset %d, %d bytes, source offset %d, sampler %d", a.line, arg.Offset,
				arg.Size, arg.Source, arg.Sampler)
		}
		k.Args = append(k.Args, arg)
	}
	for _, a := range n.items("per_thread_payload_arguments") {
		r := &numbers{n: a}
		size := r.get("size", 0)
		if a.str("arg_type") != "local_id" || r.err != nil || size < 0 || size > 192 {
			return nil, errorf(".ze_info:%d: unsupported per-thread argument %q of %d bytes", a.line, a.str("arg_type"), size)
		}
		k.LocalIDSize = size
	}
	for _, a := range n.items("binding_table_indices") {
		r := &numbers{n: a}
		b := Binding{r.get("bti_value", -1), r.get("arg_index", -1)}
		if r.err != nil || b.BTI < 0 || b.BTI > 239 {
			return nil, errorf(".ze_info:%d: invalid binding table index %d", a.line, b.BTI)
		}
		k.Bindings = append(k.Bindings, b)
	}
	for _, a := range n.items("inline_samplers") {
		r := &numbers{n: a}
		s := Sampler{r.get("sampler_index", -1), a.str("addrmode"), a.str("filtermode"), a.str("normalized") == "true"}
		if r.err != nil || s.Index < 0 || s.Index >= maxSamplers {
			return nil, errorf(".ze_info:%d: invalid sampler_index %d", a.line, s.Index)
		}
		k.Samplers = append(k.Samplers, s)
	}
	for _, a := range n.items("per_thread_memory_buffers") {
		r := &numbers{n: a}
		b := Buffer{a.str("type"), a.str("usage"), r.get("size", 0), r.get("slot", 0)}
		if r.err != nil || b.Size <= 0 {
			return nil, errorf(".ze_info:%d: invalid size or slot of a buffer of %d bytes", a.line, b.Size)
		}
		k.Buffers = append(k.Buffers, b)
	}
	return k, nil
}

// BlockSize returns the size of the argument block in bytes, in whole registers.
func (k *Kernel) BlockSize() int {
	n := 0
	for _, a := range k.Args {
		n = max(n, a.Offset+a.Size)
	}
	return (n + 31) &^ 31
}

// Image is a kernel's code and the module's data after relocation.
type Image struct {
	Text   []byte
	Const  []byte
	Global []byte
	Str    []byte
}

// Relocation types.
const (
	relAddr64  = 1
	relAddr32  = 2
	relAddrHi  = 3
	relImm32   = 5
	relAddr16  = 7
	textPrefix = ".text."
)

// argumentsOffset is the offset of the arguments from the address in r0.0. Here it is always 0 (IGC, RelocationInfo.h).
const argumentsOffset = "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0"

// Link applies the relocations of a kernel for data at given addresses.
func (m *Module) Link(k *Kernel, constAddr, stringAddr, globalAddr uint64) (*Image, error) {
	im := &Image{
		Text: append([]byte(nil), m.secs[k.text].data...), Const: append([]byte(nil), m.Const...),
		Global: append([]byte(nil), m.Global...), Str: append([]byte(nil), m.Strings...),
	}
	base := func(name string) (uint64, bool) {
		switch name {
		case ".data.const":
			return constAddr, true
		case ".data.const.string":
			return stringAddr, true
		case ".data.global":
			return globalAddr, true
		}
		return 0, false
	}
	for i := range m.secs {
		rel := &m.secs[i]
		if rel.typ != shtRel && rel.typ != shtRela || int(rel.info) >= len(m.secs) {
			continue
		}
		target := m.secs[rel.info].name
		var dst []byte
		switch {
		case target == m.secs[k.text].name:
			dst = im.Text
		case target == ".data.const":
			dst = im.Const
		case target == ".data.global":
			dst = im.Global
		default:
			continue
		}
		inText := strings.HasPrefix(target, textPrefix)
		size := 16
		if rel.typ == shtRela {
			size = 24
		}
		for e := rel.data; len(e) >= size; e = e[size:] {
			off, info := binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint64(e[8:])
			if info>>32 >= uint64(len(m.syms)) {
				return nil, errorf("%s: no symbol %d", rel.name, info>>32)
			}
			sym := &m.syms[info>>32]
			if int(sym.shndx) >= len(m.secs) {
				return nil, errorf("%s: symbol %q has no section", rel.name, sym.name)
			}
			b, ok := base(m.secs[sym.shndx].name)
			if !ok && sym.name != argumentsOffset {
				return nil, errorf("%s: symbol %q in section %q cannot be linked", rel.name, sym.name, m.secs[sym.shndx].name)
			}
			addr := b + sym.value
			if rel.typ == shtRela {
				addr += binary.LittleEndian.Uint64(e[16:])
			}
			if err := patch(dst, off, uint32(info), addr, !inText && rel.typ == shtRel); err != nil {
				return nil, errorf("%s: symbol %q: %v", rel.name, sym.name, err)
			}
		}
	}
	return im, nil
}

// patch writes an address. If addend is set, the address is added to the value in place.
func patch(dst []byte, off uint64, typ uint32, addr uint64, addend bool) error {
	size := uint64(4)
	if typ == relAddr64 {
		size = 8
	}
	if typ == relAddr16 {
		size = 2
	}
	if off > uint64(len(dst)) || size > uint64(len(dst))-off {
		return errorf("offset 0x%x is outside the section", off)
	}
	b := dst[off:]
	switch typ {
	case relAddr64:
		if addend {
			addr += binary.LittleEndian.Uint64(b)
		}
		binary.LittleEndian.PutUint64(b, addr)
	case relAddr32, relImm32:
		if addend {
			addr += uint64(binary.LittleEndian.Uint32(b))
		}
		binary.LittleEndian.PutUint32(b, uint32(addr))
	case relAddrHi:
		binary.LittleEndian.PutUint32(b, uint32(addr>>32))
	case relAddr16:
		binary.LittleEndian.PutUint16(b, uint16(addr))
	default:
		return errorf("relocation type %d is not supported", typ)
	}
	return nil
}
