// SPDX-License-Identifier: MIT

package opencl

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/generated/abi"
)

// blockAddress is the address of the part of the argument block that is in memory, from the general state base.
const blockAddress = 0x4000_0000

// inlineReg is the register after the header, which has the inline data.
const inlineReg = 1

const (
	inlineBytes  = 32 // of inline data in a dispatch (Alchemist PRM vol. 2a, COMPUTE_WALKER)
	memoryUnit   = 32 // bytes that the argument block is rounded up to
	heapUnit     = 64 // data of a dispatch start at multiples of that many bytes (Alchemist PRM vol. 2a, COMPUTE_WALKER)
	localIDBytes = 2  // of a local id
)

// inMemory launches a kernel whose threads get the start of the argument block in registers and load the rest of it, and
// then their local ids, from memory (zebin specification, zeinfo.md: inline_data_payload_size). Each channel of the
// local ids takes whole registers.
func (b *builder) inMemory(abiRow *abi.ABI) {
	k, d := b.k, b.d
	block := append([]byte(nil), b.block...)
	for len(block)%memoryUnit != 0 || len(block) < k.InlineData {
		block = append(block, 0)
	}
	memory := append([]byte(nil), block[k.InlineData:]...)
	size := d.LocalSize[0] * d.LocalSize[1] * d.LocalSize[2]
	grf := d.Program.GRF
	channel := (localIDBytes*k.SIMD + grf - 1) / grf * grf
	for first := 0; first < int(size) && k.LocalIDSize > 0; first += k.SIMD {
		ids := make([]byte, k.LocalIDSize)
		l := eu.Launch{LocalSize: d.LocalSize, Thread: first / k.SIMD, SIMD: k.SIMD}
		for lane := range k.SIMD {
			for c := range k.LocalIDSize / channel {
				binary.LittleEndian.PutUint16(ids[c*channel+localIDBytes*lane:], l.LocalID(lane, c))
			}
		}
		memory = append(memory, ids...)
	}
	for len(memory)%heapUnit != 0 {
		memory = append(memory, 0)
	}
	d.Mappings = append(d.Mappings, eu.Mapping{Addr: blockAddress, Data: memory})
	row := *abiRow
	row.LocalIDs, row.UserReg = 0, inlineReg
	inline := block[:k.InlineData]
	d.Payload = func(l *eu.Launch, grf *eu.GRFs) {
		l.Fill(&row, grf, inline)
		grf.SetDword(0, 0, blockAddress)
	}
}
