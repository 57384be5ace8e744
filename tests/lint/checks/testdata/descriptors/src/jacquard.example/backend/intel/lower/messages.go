package lower

import "jacquard.example/generated/isa"

func send(in *isa.Inst, length uint32) { in.Desc = isa.DescBarrier() | length<<25 }
