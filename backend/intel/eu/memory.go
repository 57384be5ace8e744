package eu

import (
	"sort"

	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Surface is an entry of the binding table: a buffer, or an image if Image is not nil. Untyped messages access
// buffers; typed messages and the sampler access images.
//
// An image is a view as its surface state describes it: typed messages access its first level. Drivers pass
// storage images in the form that StorageSurface returns.
type Surface struct {
	Data  []byte
	Image *texture.Image
	// Format is the format in the surface state, through which typed messages access the image. If it is nil,
	// the surface has the image's own texel format.
	Format *isa.SurfaceFormat
}

// StorageSurface returns the surface of a storage image. Cubes become arrays of 2D images, whose layer count,
// as resinfo returns it, is the number of faces.
func StorageSurface(m *texture.Image) *Surface {
	if m.Dim == irkind.DimCube {
		flat := *m
		flat.Dim = irkind.Dim2D
		m = &flat
	}
	return &Surface{Image: m}
}

// Mapping is a range of the 64-bit address space that stateless messages access.
type Mapping struct {
	Addr uint64
	Data []byte
}

// MemoryCounts counts accesses that bounds checks turned into no-ops.
type MemoryCounts struct {
	LoadsOutOfBounds  uint64
	StoresOutOfBounds uint64
}

const (
	slmMask     = 0xFFFF // code may set address bits beyond the 64 KiB of shared memory
	scratchHole = 4096   // the first thread's scratch area starts here, never at 0
)

// memory returns the size bytes at an address of a message. It returns nil for an access outside a surface,
// which reads as zero and writes nothing. In the stateless space the program is responsible for mapped and
// aligned addresses: violations are errors.
func (t *Thread) memory(m *message, addr uint64, size, align, lane int, write bool) ([]byte, *opError) {
	if addr&uint64(align-1) != 0 {
		return nil, operr(FaultMemory, "lane %d: address 0x%x is not aligned to %d bytes", lane, addr, align)
	}
	if m.wide {
		b := t.group.machine.find(addr, size)
		if b == nil {
			return nil, operr(FaultMemory, "lane %d: nothing is mapped at address 0x%x", lane, addr)
		}
		return b, nil
	}
	var data []byte
	switch m.bti {
	case btiSLM:
		data = t.group.slm
		addr &= slmMask
		if t.group.shadow != nil {
			if err := t.noteShared(addr, size, write, m.atomicOp); err != nil {
				return nil, err
			}
		}
	case btiStateless, btiCoherent:
		b, err := t.scratchBytes(addr, size)
		return b, err
	default:
		s := t.group.machine.surfaces
		if int(m.bti) >= len(s) || s[m.bti] == nil {
			return nil, operr(FaultMemory, "there is no surface at binding table index %d", m.bti)
		}
		if s[m.bti].Image != nil {
			return nil, operr(FaultMessage, "an untyped message accesses surface %d, which is an image", m.bti)
		}
		data = s[m.bti].Data
		addr = uint64(uint32(addr))
	}
	if addr+uint64(size) > uint64(len(data)) {
		if write {
			t.stats.Memory.StoresOutOfBounds++
		} else {
			t.stats.Memory.LoadsOutOfBounds++
		}
		return nil, nil
	}
	return data[addr:][:size:size], nil
}

// surfaceOf returns the whole memory of a message's surface, or shared memory. It returns nil for other address
// spaces.
func (t *Thread) surfaceOf(m *message) []byte {
	switch {
	case m.wide || m.bti == btiStateless || m.bti == btiCoherent:
		return nil
	case m.bti == btiSLM && t.group.shadow != nil:
		return nil
	case m.bti == btiSLM:
		return t.group.slm
	}
	if s := t.group.machine.surfaces; int(m.bti) < len(s) && s[m.bti] != nil { // images have no data
		return s[m.bti].Data
	}
	return nil
}

// scratchBytes returns memory relative to the general state base, where only the thread's own scratch area
// exists.
func (t *Thread) scratchBytes(addr uint64, size int) ([]byte, *opError) {
	base := uint64(t.scratchBase)
	if addr < base || addr+uint64(size) > base+uint64(len(t.scratch)) {
		return nil, operr(FaultMemory, "address 0x%x is outside the thread's scratch space (0x%x to 0x%x)", addr, base, base+uint64(len(t.scratch)))
	}
	return t.scratch[addr-base:][:size:size], nil
}

// machine is the state shared by the threads of a dispatch.
type machine struct {
	surfaces  []*Surface
	typed     []typedSurface // by binding table index
	samplers  []*texture.Sampler
	heap      Heap
	typedHeap []typedSurface // surfaces of the heap, by index
	stage     *Stage
	maps      []Mapping // sorted by address
	last      int
}

func newMachine(d *Dispatch) (*machine, error) {
	m := &machine{surfaces: d.Surfaces, samplers: d.Samplers, heap: d.Heap, stage: d.Stage, maps: append([]Mapping(nil), d.Mappings...)}
	if len(m.heap.Surfaces) > maxSurfaceHeap || len(m.heap.Samplers) > maxSamplerHeap {
		return nil, launchError("a heap of %d surfaces and %d samplers; the limits are %d and %d",
			len(m.heap.Surfaces), len(m.heap.Samplers), maxSurfaceHeap, maxSamplerHeap)
	}
	var err error
	if m.typed, err = images(d.Program.machine, m.surfaces, "surface"); err != nil {
		return nil, err
	}
	if m.typedHeap, err = images(d.Program.machine, m.heap.Surfaces, "surface of the heap"); err != nil {
		return nil, err
	}
	sort.Slice(m.maps, func(i, j int) bool { return m.maps[i].Addr < m.maps[j].Addr })
	for i := range m.maps {
		end := m.maps[i].Addr + uint64(len(m.maps[i].Data))
		if end < m.maps[i].Addr || i+1 < len(m.maps) && end > m.maps[i+1].Addr {
			return nil, launchError("the mapping at 0x%x overlaps another", m.maps[i].Addr)
		}
	}
	return m, nil
}

// images prepares the surfaces that are images.
func images(on *target.Target, surfaces []*Surface, what string) ([]typedSurface, error) {
	all := make([]typedSurface, len(surfaces))
	for i, s := range surfaces {
		if s == nil || s.Image == nil {
			continue
		}
		if s.Data != nil || s.Image.Format == nil || len(s.Image.Levels) == 0 {
			return nil, launchError("%s %d is an image without format or levels, or a buffer as well", what, i)
		}
		var err error
		if all[i], err = typed(on, s); err != nil {
			return nil, launchError("%s %d: %v", what, i, err)
		}
	}
	return all, nil
}

// find returns the memory at an address of the 64-bit space, or nil if it is not mapped.
func (m *machine) find(addr uint64, size int) []byte {
	if m.last < len(m.maps) {
		if r := &m.maps[m.last]; addr >= r.Addr && addr-r.Addr+uint64(size) <= uint64(len(r.Data)) {
			return r.Data[addr-r.Addr:][:size:size]
		}
	}
	i := sort.Search(len(m.maps), func(i int) bool { return m.maps[i].Addr > addr }) - 1
	if i < 0 {
		return nil
	}
	r := &m.maps[i]
	if addr-r.Addr+uint64(size) > uint64(len(r.Data)) {
		return nil
	}
	m.last = i
	return r.Data[addr-r.Addr:][:size:size]
}
