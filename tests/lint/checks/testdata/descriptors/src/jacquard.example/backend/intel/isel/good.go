package isel

import "jacquard.example/generated/isa"

func copied(in, from *isa.Inst, table []uint32) isa.SFID {
	in.Desc = from.Desc
	in.ExDesc = 0
	in.Desc = table[3]
	surface(25)
	return from.SFID
}
