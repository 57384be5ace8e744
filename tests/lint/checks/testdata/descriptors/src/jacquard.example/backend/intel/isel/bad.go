package isel

import "jacquard.example/generated/isa"

const dataport = 0x0c << 14

func barrier(in *isa.Inst, table []uint32, k uint32) {
	in.SFID = isa.SFIDDC1         // want `isa.SFIDDC1 is a part of sends`
	in.Desc = isa.DescBarrier()   // want `isa.DescBarrier is a part of sends`
	in.Desc |= k                  // want `computes with a descriptor`
	if in.Desc>>14&0x1F == 0x0C { // want `computes with a descriptor`
		in.ExDesc = 0x2000000 // want `writes the bits of a descriptor`
	}
	in.Desc = table[k] | dataport   // want `writes the bits of a descriptor`
	in.Send.Desc, k = 0x02106C00, 1 // want `writes the bits of a descriptor`
	*in = isa.Inst{Desc: k<<25 | 3} // want `writes the bits of a descriptor`
	surface(254)                    // want `254 is a binding table of the machine's`
}

func surface(uint32) {}
