// SPDX-License-Identifier: MIT

package irtab

// ReductionEnum is the enumeration of the names of reductions.
const ReductionEnum = "reduction_op"

// ReductionDef is a [reduction.x] row.
type ReductionDef struct {
	Doc      string `toml:"doc" doc:"Its result for the values of the invocations." required:"true"`
	Data     string `toml:"data" doc:"The kind of numbers." enum:"int,uint,float" required:"true"`
	Op       string `toml:"op" doc:"The opcode that combines two values, which is associative." required:"true"`
	Identity string `toml:"identity" doc:"The value that leaves another unchanged: a constant in the language of defs/opcodes, in which bits is the size." required:"true"`
	Equal    string `toml:"equal" doc:"The result for equal values, so that uniform values need no scan: same, the value; once, op of the value and itself, which makes NaN canonical; times, the value times the number of invocations." enum:"same,once,times"`
	Scan     string `toml:"scan" doc:"The instruction that combines two 32-bit values, or 16-bit floats, in registers: an opcode of the machine, sel with its condition (sel.ge), or multiply, the low half of a product that takes several instructions. Default: lower_subgroups combines values with shuffles and op." pattern:"^[a-z]+(\\.[a-z]+)?$"`
}
