// SPDX-License-Identifier: MIT

// Package analysis computes facts about a function: its control-flow graph ([CFG]), dominance ([Dominance]), which
// values are the same for all invocations of a subgroup, of two neighboring subgroups or of a workgroup
// ([Divergence]), which bits of a value may be one ([MayBeOnes]), which of its components are read ([UsedComps]), which
// buffers may be the same memory ([MayAlias]), and how often the body of a loop is entered ([Trips]). Results are valid
// until the function changes; their memory can be reused for the next function or shader. The package modifies nothing.
//
// Uniform means the same for the lanes that compute a value together. If a uniform value is read after a loop that
// lanes leave in different iterations, the read value may be divergent; Divergence explains the rule, and the pass
// out_of_ssa keeps the value for each lane there.
package analysis
