// Package lower holds the passes that express operations by those that a target has,
// where rewrite rules cannot because loops, phis or the shader's float mode are
// concerned: 64-bit integers ([LowerInt64]), floats taken apart by their bits
// ([LowerFrexp]), conversions to 16-bit floats, operations across a subgroup
// ([LowerSubgroups]) and positions of an invocation ([ComputeSystemValues]).
//
// Lowering of single opcodes is a rule of defs/algebraic, set apart by the target's
// options; memory has package memory.
package lower
