package lower

import "jacquard.example/generated/isa"

func more(in *isa.Inst) { in.Desc += 1 } // want `computes with a descriptor`
