package irtab

// ReductionEnum is the enumeration of the names of reductions.
const ReductionEnum = "reduction_op"

// ReductionDef is a [reduction.x] row.
type ReductionDef struct {
	Doc      string `toml:"doc" doc:"What it makes of the values of invocations." required:"true"`
	Data     string `toml:"data" doc:"The kind of numbers." enum:"int,uint,float" required:"true"`
	Op       string `toml:"op" doc:"The opcode that combines two values." required:"true"`
	Identity string `toml:"identity" doc:"The value that does not change what it is combined with." required:"true"`
	Equal    string `toml:"equal" doc:"What equal values give: the value, op of two, or the value times their number." enum:"same,once,times"`
	Scan     string `toml:"scan" doc:"The instruction for scans, sel with a condition (sel.ge), or multiply; default: shuffles." pattern:"^[a-z]+(\\.[a-z]+)?$"`
}
