package irtab

// ReductionEnum is the enumeration to which the rows of reductions add their names.
const ReductionEnum = "reduction_op"

// ReductionDef is a [reduction.x] row.
type ReductionDef struct {
	Doc      string `toml:"doc" doc:"What it makes of the values of invocations." required:"true"`
	Data     string `toml:"data" doc:"The kind of numbers." enum:"int,uint,float" required:"true"`
	Op       string `toml:"op" doc:"The opcode that combines two values." required:"true"`
	Identity string `toml:"identity" doc:"The value that combined with another gives that one, in the language of opcodes, where bits is the size." required:"true"`
	Equal    string `toml:"equal" doc:"What equal values give: same, the value; once, what two of them give; times, the value times their number; left out: none of these." enum:"same,once,times"`
	Scan     string `toml:"scan" doc:"The machine instruction that combines two values, with the condition of a sel after a period, or multiply; left out: values are combined by shuffles and the opcode." pattern:"^[a-z]+(\\.[a-z]+)?$"`
}
