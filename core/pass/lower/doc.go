// SPDX-License-Identifier: MIT

// Package lower contains the passes that replace operations with others that a target supports, where rewrite rules
// cannot because loops, phis, the shader's float mode or known bits of operands are involved: 64-bit integers
// ([LowerInt64]), integer division ([LowerDivision]), decomposition of floats ([LowerFrexp]), conversions to 16-bit
// floats, subgroup operations ([LowerSubgroups]; [SimplifySubgroups] finds operations on uniform values), derivatives
// ([LowerDerivatives]), invocation IDs ([ComputeSystemValues]) and texture operations ([LowerTextures]).
//
// Single opcodes are lowered by the rules of defs/algebraic, enabled by the target's options; memory is lowered by
// packages explicitio, accesses and memory.
package lower
