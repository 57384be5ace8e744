// SPDX-License-Identifier: MIT

package thread

import (
	"sort"

	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
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

// Machine is the state shared by the threads of a dispatch.
type Machine struct {
	Surfaces  []*Surface
	Typed     []TypedSurface // by binding table index
	Samplers  []*texture.Sampler
	Heap      Heap
	TypedHeap []TypedSurface // surfaces of the heap, by index
	Stage     *Stage
	Maps      []Mapping // sorted by address
	last      int
}

// Find returns the size bytes at an address of the 64-bit space, or nil if they are not in one mapping.
func (m *Machine) Find(addr uint64, size int) []byte {
	if m.last < len(m.Maps) {
		if r := &m.Maps[m.last]; addr >= r.Addr && addr-r.Addr+uint64(size) <= uint64(len(r.Data)) {
			return r.Data[addr-r.Addr:][:size:size]
		}
	}
	i := sort.Search(len(m.Maps), func(i int) bool { return m.Maps[i].Addr > addr }) - 1
	if i < 0 {
		return nil
	}
	r := &m.Maps[i]
	if addr-r.Addr+uint64(size) > uint64(len(r.Data)) {
		return nil
	}
	m.last = i
	return r.Data[addr-r.Addr:][:size:size]
}

// TypedSurface is a surface as accessed by typed messages.
type TypedSurface struct {
	Image   *texture.Image  // nil means the null surface
	Format  *texture.Format // format that writes encode; nil if neither reads nor writes can access the surface
	Read    *texture.Format // format that reads decode, or nil if reads cannot access the surface
	Atomics isa.TypedAtomics
}

// layered reports whether one of the coordinates of a typed message is a layer. Surfaces of one layer may or
// may not be arrays: the layer is used if it is the last of the message's coordinates.
func (s *TypedSurface) layered(coords int) bool { return s.Image.Layers > 1 || coords < 4 }

// Needs returns the minimum number of coordinates in a message for the surface.
func (s *TypedSurface) Needs() int {
	n := 2
	switch s.Image.Dim {
	case irkind.DimBuf:
		return 1
	case irkind.Dim1D:
		n = 1
	case irkind.Dim3D, irkind.DimCube:
		return 3
	}
	if s.Image.Layers > 1 {
		n++
	}
	return n
}

// Texel returns the bytes of the texel at the coordinates of a message, in the order u, v, r, level, or nil
// outside of the surface. Coordinates are unsigned; those beyond the shape's are ignored. The layer of a 1D
// array is v.
func (s *TypedSurface) Texel(c [4]uint32, coords int) []byte {
	x, y := int64(c[0]), int64(0)
	z, layer := int64(0), int64(0)
	switch s.Image.Dim {
	case irkind.DimBuf:
	case irkind.Dim1D:
		if coords > 1 && s.layered(coords) {
			layer = int64(c[1])
		}
	case irkind.Dim3D:
		y, z = int64(c[1]), int64(c[2])
	default:
		y = int64(c[1])
		if coords > 2 && s.layered(coords) {
			layer = int64(c[2])
		}
	}
	return s.Image.Bytes(int(c[3]), x, y, z, layer, 0)
}

// Bindless surfaces and samplers. A descriptor with binding table index 252 selects no entry of the binding
// table. Instead, bits 31:12 of the extended descriptor are bits 25:6 of the offset of a surface state from the
// bindless surface state base (TGL PRM vol. 2a, "Extended Message Descriptor"; vol. 5, "Bindless Surface
// State"). A surface state has 64 bytes, so these bits are its index.
//
// Dword 3 of the message's header selects a bindless sampler state: an offset from the dynamic state base that
// is a multiple of 32 (TGL PRM vol. 9, "Message Header"). In the model, the thread's own sampler states start
// at SamplerStates; the heap precedes them.
const (
	HandleShift     = 12
	SamplerHeapStep = 32 // a state has 16 bytes
	MaxSurfaceHeap  = 1 << (32 - HandleShift)
	MaxSamplerHeap  = SamplerStates / SamplerHeapStep
	CoarseLOD       = 1 << 11 // bit of the sampler's extended descriptor
)

// Heap holds the surfaces and samplers that bindless messages access.
type Heap struct {
	Surfaces []*Surface         // surface i has the handle i << 12
	Samplers []*texture.Sampler // sampler i has the handle i * 32
}

// selectsHandle sets the message's surface handle if its descriptor selects a bindless surface. It returns an error if
// the surface would be a buffer.
func (m *Message) selectsHandle(sfid isa.SFID, desc, ex uint32) *OpError {
	if m.Bti != BtiBindless || sfid != isa.SFIDDC0 && sfid != isa.SFIDDC1 && sfid != isa.SFIDSampler {
		return nil
	}
	if sfid == isa.SFIDDC0 && desc>>18&1 != 0 { // the low bits of scratch messages are an offset
		return nil
	}
	if sfid != isa.SFIDSampler && m.Coords == 0 {
		return Operr(FaultUnsupported, "bindless buffers are not supported yet (descriptor 0x%08x)", desc)
	}
	m.Handle = ex >> HandleShift
	return nil
}

// Surface returns the surface that an image message accesses, in the model's form and as passed to the
// launcher. The second result is nil for the null surface.
func (g *Machine) Surface(m *Message) (*TypedSurface, *Surface, *OpError) {
	if m.Bti != BtiBindless {
		if int(m.Bti) >= len(g.Typed) {
			return nil, nil, Operr(FaultMemory, "there is no surface at binding table index %d", m.Bti)
		}
		return &g.Typed[m.Bti], g.Surfaces[m.Bti], nil
	}
	if int(m.Handle) >= len(g.Heap.Surfaces) || g.Heap.Surfaces[m.Handle] == nil {
		return nil, nil, Operr(FaultMemory, "there is no surface with the handle 0x%08x", m.Handle<<HandleShift)
	}
	return &g.TypedHeap[m.Handle], g.Heap.Surfaces[m.Handle], nil
}
