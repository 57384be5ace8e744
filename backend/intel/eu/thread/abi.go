package thread

import "jacquard.example/generated/abi"

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
	}
	return 0 // base workgroup ids
}

// Fill writes the header, push data and local ids that a row of the ABI table specifies. user is the program's
// own data: push constants, or the argument block after the local ids.
func (l *Launch) Fill(row *abi.ABI, grf *GRFs, user []byte) {
	for _, f := range row.Header {
		old := grf.Dword(int(f.Reg), int(f.Dword))
		grf.SetDword(int(f.Reg), int(f.Dword), old&^f.Mask|f.Bits(l.value(f.Value)))
	}
	block := 0
	regs := (2*l.SIMD + GRFSize - 1) / GRFSize
	if row.LocalIDs > 0 {
		block = int(row.LocalIDReg) + int(row.LocalIDs)*regs
	}
	for i, v := range row.Push {
		grf.SetDword(block+int(row.PushReg)+i/8, i%8, l.value(v))
	}
	grf.Copy(block+int(row.UserReg), user)
	for lane := 0; lane < l.SIMD; lane++ {
		id := uint32(l.Thread*l.SIMD + lane)
		for c := 0; c < int(row.LocalIDs); c++ {
			v := id
			if c < 2 {
				v %= l.LocalSize[c]
			}
			id /= l.LocalSize[c]
			reg := int(row.LocalIDReg) + c*regs
			grf.SetWord(reg+lane/16, lane%16, uint16(v))
		}
	}
}
