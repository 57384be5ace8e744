// SPDX-License-Identifier: MIT

package thread

import (
	"jacquard.example/generated/abi"
)

// Stage is the stage of a graphics pipeline to which the threads of a dispatch belong, with the fixed functions
// that their messages reach. Each thread is a separate workgroup, with as many invocations as the dispatch has lanes.
type Stage struct {
	// Kind determines the message that ends a thread.
	Kind StageKind
	// Live returns the dispatch mask of a thread: the lanes that have a vertex or a pixel.
	Live func(thread int) uint32
	// VectorMask enables all four lanes of each quad with a live lane, so that differences between the pixels
	// of a quad exist (TGL PRM vol. 9, "3DSTATE_PS", Vector Mask Enable).
	VectorMask bool

	// URB has the entries that a vertex thread's handles refer to.
	URB *URB
	// Outputs marks the doublewords of a URB entry that later stages or fixed functions read: a thread may
	// write undefined values to the others. Nil means that all are read.
	Outputs []bool

	// Targets is the number of render targets; FirstTarget is the binding table index of the first one.
	FirstTarget, Targets int
	// NullTarget is set if a null surface is bound there because there are no render targets: its colors go nowhere.
	NullTarget bool
	// Colors has, for each render target, a bit for each component that the shader writes: four of the first color, then four
	// of the second. A thread may write undefined values to the other components. Nil means that the shader writes all.
	Colors []uint8
	// WritesMask, WritesDepth and WritesStencil declare that the shader computes these values, so that
	// render-target writes carry them (TGL PRM vol. 2a, "3DSTATE_PS_EXTRA").
	WritesMask, WritesDepth, WritesStencil bool
	// Write receives each pixel of a render-target write.
	Write func(thread, lane int, w *TargetWrite)

	// Interpolate returns the barycentric coordinates of a place in a lane's pixel, for the second and the
	// third vertex.
	Interpolate func(thread, lane int, at *Place) [2]float32
}

// StageKind is a stage of the graphics pipeline.
type StageKind uint8

// The stages.
const (
	VertexStage StageKind = iota
	FragmentStage
)

// Stage returns the stage of the thread, or nil if the thread belongs to a workgroup.
func (t *Thread) Stage() *Stage { return t.Group.Machine.Stage }

// value returns the value of a payload field.
func (l *Launch) value(v abi.Value) uint32 {
	switch v {
	case abi.GroupIDX, abi.GroupIDY, abi.GroupIDZ:
		return l.Group[v-abi.GroupIDX]
	case abi.NumGroupsX, abi.NumGroupsY, abi.NumGroupsZ:
		return l.Groups[v-abi.NumGroupsX]
	case abi.BarrierID:
		return l.BarrierID
	case abi.ScratchSize:
		return l.ScratchLog
	case abi.ScratchBase:
		return l.Scratch / 1024
	case abi.FFTID:
		return l.FFTID
	case abi.SubgroupID:
		return uint32(l.Thread)
	case abi.NumSubgroups:
		return uint32(l.Threads)
	case abi.PushAddress:
		return PushedAt / pushedUnit
	}
	return 0 // base workgroup ids
}

// PushedAt is the address of push data in memory, and pushedUnit the unit of such addresses.
const (
	PushedAt   = 0xFFF0_0000
	pushedUnit = 64
)

// PushData returns bytes of the push data in memory, or nil if the address is that of other memory.
func (t *Thread) PushData(addr uint64, size int) []byte {
	if addr < PushedAt || addr+uint64(size) > PushedAt+uint64(len(t.Pushed)) {
		return nil
	}
	return t.Pushed[addr-PushedAt:][:size:size]
}

// Fill writes the header, push data and local ids that a row of the ABI table specifies. user is the program's
// own data: push constants, or the argument block after the local ids. If the ABI has the push data in memory, they are
// there in the layout of the registers.
func (l *Launch) Fill(row *abi.ABI, grf *GRFs, user []byte) {
	for _, f := range row.Header {
		old := grf.Dword(int(f.Reg), int(f.Dword))
		grf.SetDword(int(f.Reg), int(f.Dword), old&^f.Mask|f.Bits(l.value(f.Value)))
	}
	block := 0
	regs := (2*l.SIMD + grf.Size - 1) / grf.Size
	if row.LocalIDs > 0 {
		block = int(row.LocalIDReg) + int(row.LocalIDs)*regs
	}
	for i, v := range row.Push {
		grf.SetDword(block+int(row.PushReg)+4*i/grf.Size, 4*i%grf.Size/4, l.value(v))
	}
	grf.Copy(block+int(row.UserReg), user)
	grf.Copy(int(row.Inline.Reg), user[:min(len(user), int(row.Inline.Bytes))])
	if _, ok := row.HeaderField(abi.PushAddress); ok {
		l.Pushed = grf.take(int(row.PushReg))
	}
	for c := range int(row.LocalIDs) {
		l.FillLocalIDs(grf, int(row.LocalIDReg)+c*regs, c)
	}
}

// FillLocalIDs writes component c of the local ids of all lanes, as words, to registers from reg on.
func (l *Launch) FillLocalIDs(grf *GRFs, reg, c int) {
	for lane := range l.SIMD {
		grf.SetWord(reg+2*lane/grf.Size, 2*lane%grf.Size/2, l.LocalID(lane, c))
	}
}

// LocalID returns component c of the local id of a lane, in row-major order of the workgroup. Lanes after the last
// invocation have z beyond the workgroup.
func (l *Launch) LocalID(lane, c int) uint16 {
	id := uint32(l.Thread*l.SIMD + lane)
	for _, n := range l.LocalSize[:c] {
		id /= n
	}
	if c < 2 {
		id %= l.LocalSize[c]
	}
	return uint16(id)
}
