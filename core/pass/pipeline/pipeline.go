package pipeline

import (
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/lower"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/pass/vars"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	"jacquard.example/generated/rules/opt"
)

// All passes, by name: the rows that pipelines are made of.
var (
	lowerReturns    = pass.Pass{Name: "lower_returns", Doc: "every function leaves at its end only", Leaves: "no return but the one at the end of a function", Run: flow.LowerReturns}
	inlineFunctions = pass.Pass{Name: "inline_functions", Doc: "calls become the bodies of what they call", Needs: "lower_returns", Leaves: "the entry point alone, without calls", After: []string{"lower_returns"}, Run: flow.InlineFunctions}
	lowerVarCopies  = pass.Pass{Name: "lower_var_copies", Doc: "copies of whole objects become loads and stores", Leaves: "no copy_deref", Run: vars.LowerVarCopies}
	varsToSSA       = pass.Pass{Name: "vars_to_ssa", Doc: "private variables become SSA values", Leaves: "no private variable that is only read and written whole, at places known now", Run: vars.VarsToSSA}
	optDeref        = pass.Pass{Name: "opt_deref", Doc: "casts of pointers to what they are already go", Leaves: "no cast of a deref to the type and modes that it has", Run: vars.OptDeref}
	copyProp        = pass.Pass{Name: "copy_prop", Doc: "readers of copies and put-together vectors read the originals", Leaves: "no mov and no vector that all readers can see through", Run: values.CopyProp}
	deadCode        = pass.Pass{Name: "dead_code", Doc: "instructions that nothing needs go", Leaves: "no instruction without effect whose result nothing reads", Run: values.DeadCode}
	copyPropVars    = pass.Pass{Name: "copy_prop_vars", Doc: "loads of what was just loaded or stored go", Run: vars.CopyPropVars}
	deadWriteVars   = pass.Pass{Name: "dead_write_vars", Doc: "stores that nothing reads go", Run: vars.DeadWriteVars}
	splitVars       = pass.Pass{Name: "split_vars", Doc: "private structs and arrays become variables of their own for each part", Leaves: "no private variable that has a level indexed by constants alone, if it is only loaded and stored", Run: vars.SplitVars}
	lowerIndirect   = pass.Pass{Name: "lower_indirect_derefs", Doc: "small private arrays at unknown indices are chosen from all elements", Needs: "split_vars, which shows how small an array is", Run: vars.LowerIndirectDerefs}
	deadVars        = pass.Pass{Name: "dead_vars", Doc: "private variables that nothing names go", Leaves: "no private variable that nothing names", Run: values.DeadVars}
	cse             = pass.Pass{Name: "cse", Doc: "equal instructions are merged where one dominates the other", Leaves: "no two equal instructions, one of which dominates the other and may be merged with it", Run: values.CSE}
	constantFold    = pass.Pass{Name: "constant_fold", Doc: "instructions on constants become constants", Leaves: "no arithmetic on constants alone", Run: values.ConstantFold}
	removePhis      = pass.Pass{Name: "remove_phis", Doc: "phis that join one value go", Leaves: "no phi that joins one value only", Run: vars.RemovePhis}
	deadControlFlow = pass.Pass{Name: "dead_control_flow", Doc: "what control never comes to, and empty ifs, go", Leaves: "no unreachable code, no if that is empty or whose condition is known", Run: flow.DeadControlFlow}
	peepholeSelect  = pass.Pass{Name: "peephole_select", Doc: "small ifs become selections", Run: flow.PeepholeSelect}
	optDivConst     = pass.Pass{Name: "opt_div_const", Doc: "divisions by constants become multiplications", Leaves: "no division or remainder by a constant but those that rules rewrite", Run: values.OptDivConst}
	aluToScalar     = pass.Pass{Name: "alu_to_scalar", Doc: "arithmetic on vectors becomes arithmetic on their components", Leaves: "no arithmetic on vectors but mov and vec", Run: values.ALUToScalar}
	phisToScalar    = pass.Pass{Name: "phis_to_scalar", Doc: "phis of vectors become phis of scalars", Leaves: "no phi of a vector", Run: vars.PhisToScalar}
	explicitIO      = pass.Pass{Name: "explicit_io", Doc: "accesses through derefs become accesses at byte offsets", Needs: "one function", Leaves: "no access through a deref; the binding table in Info.Bindings", After: []string{"inline_functions", "lower_var_copies", "lower_non_uniform"}, Run: memory.ExplicitIO}
	zeroShared      = pass.Pass{Name: "zero_shared", Doc: "workgroup memory that starts as zero is stored to", Needs: "explicit_io, which places the variables", Leaves: "no workgroup memory that starts as zero by itself", After: []string{"explicit_io"}, Run: memory.ZeroShared}
	lowerMemAccess  = pass.Pass{Name: "lower_mem_access", Doc: "accesses get the sizes that messages have", Needs: "explicit_io", Leaves: "no access but to a byte, a word, or up to four doublewords", After: []string{"explicit_io"}, Run: memory.LowerMemAccess}
	lowerInt64      = pass.Pass{Name: "lower_int64", Doc: "64-bit phis and divisions, and what else no rule lowers, become 32-bit ones", Needs: "phis_to_scalar", Leaves: "no 64-bit integer but pairs that are put together and taken apart, once the rules of lower_int64 have run too", Run: lower.LowerInt64}
	lowerFrexp      = pass.Pass{Name: "lower_frexp", Doc: "floats are taken apart by their bits", Needs: "scalar arithmetic", Leaves: "no frexp_sig and no frexp_exp of up to 32 bits", Run: lower.LowerFrexp}
	lowerHalfRTZ    = pass.Pass{Name: "lower_half_rtz", Doc: "conversions to 16-bit floats towards zero are done on bits", Needs: "scalar arithmetic", Leaves: "no conversion to 16-bit floats that rounds towards zero whatever the shader says", Run: lower.LowerHalfRTZ}
	lowerHalfFlush  = pass.Pass{Name: "lower_half_flush", Doc: "conversions to 16-bit floats flush denormals where the shader asks for it", Needs: "lower_half_rtz, whose results are exact already", After: []string{"lower_half_rtz"}, Run: lower.LowerHalfFlush}
	lowerPush       = pass.Pass{Name: "lower_push_constants", Doc: "push constants at unknown offsets are chosen from all", Needs: "explicit_io", Leaves: "no load of push constants at an offset that is not known", After: []string{"explicit_io"}, Run: memory.LowerPushConstants}
	nonUniform      = pass.Pass{Name: "lower_non_uniform", Doc: "accesses whose descriptor differs between invocations become loops", Needs: "derefs", Leaves: "no access whose descriptor is said to differ between invocations, and does", Run: memory.LowerNonUniform}
	laneBuffers     = pass.Pass{Name: "lower_divergent_buffers", Doc: "accesses to buffers that differ between invocations become loops", Needs: "explicit_io", Leaves: "no access to a buffer that differs within a subgroup", After: []string{"explicit_io"}, Run: memory.LowerDivergentBuffers}
	systemValues    = pass.Pass{Name: "compute_system_values", Doc: "positions of an invocation are computed from what the machine gives", Leaves: "of the positions of an invocation those of workgroup, subgroup and lane", After: []string{"zero_shared", "lower_subgroups"}, Run: lower.ComputeSystemValues}
	lowerAtomics    = pass.Pass{Name: "lower_float_atomics", Doc: "atomic additions of floats become loops around a compare and exchange", Needs: "explicit_io", Leaves: "no atomic that the target has no message for", After: []string{"explicit_io"}, Run: memory.LowerFloatAtomics}
	lowerSubgroups  = pass.Pass{Name: "lower_subgroups", Doc: "operations across a subgroup are made of ballots and reading a lane", Needs: "a subgroup of at most 32 invocations", Leaves: "of the operations across a subgroup what instruction selection takes", Run: lower.LowerSubgroups}
	outOfSSA        = pass.Pass{Name: "out_of_ssa", Doc: "phis become registers", Leaves: "no phi", After: []string{"vars_to_ssa", "zero_shared", "lower_float_atomics", "lower_int64", "phis_to_scalar"}, Run: vars.OutOfSSA}

	algebraic           = pass.Pass{Name: "algebraic", Doc: "the main set of rewrite rules", Leaves: "nothing that a rule of the set finds", Run: pass.Rules(&opt.Set)}
	algebraicBeforeFFMA = pass.Pass{Name: "algebraic_before_ffma", Doc: "rewrite rules before multiplications and additions are fused", Leaves: "nothing that a rule of the set finds", Run: pass.Rules(&beforeffma.Set)}
	algebraicLate       = pass.Pass{Name: "algebraic_late", Doc: "rewrite rules that shape what the target selects from", Needs: "scalar arithmetic; algebraic_before_ffma", Leaves: "nothing that a rule of the set finds", After: []string{"algebraic_before_ffma"}, Run: pass.Rules(&late.Set)}
)

// cleanup is repeated until nothing changes.
var cleanup = []pass.Pass{copyProp, deadCode, constantFold, algebraic, removePhis, deadControlFlow, peepholeSelect, cse}

// Optimize brings a shader from the reader to scalar SSA with memory still
// behind derefs.
var Optimize = []pass.Pass{
	lowerReturns, inlineFunctions, copyProp, optDeref, lowerVarCopies, deadVars, varsToSSA, deadVars,
	copyProp, deadCode,
	{Loop: []pass.Pass{aluToScalar, phisToScalar, optDivConst, {Loop: cleanup}, varsToSSA, copyPropVars, deadWriteVars, splitVars, lowerIndirect}},
	deadVars,
}

// Lower brings an optimized shader to what instruction selection takes: memory
// by offsets, no phis.
var Lower = []pass.Pass{
	nonUniform, explicitIO, zeroShared, lowerAtomics, lowerSubgroups, systemValues, lowerMemAccess, lowerFrexp, lowerHalfRTZ, lowerHalfFlush,
	{Loop: append([]pass.Pass{aluToScalar, phisToScalar, optDivConst, lowerInt64}, cleanup...)},
	laneBuffers, lowerPush,
	algebraicBeforeFFMA,
	{Loop: []pass.Pass{algebraicLate, copyProp, deadCode, constantFold, cse}},
	outOfSSA, copyProp, deadCode,
}

// Compute is the whole way of a compute shader.
var Compute = ordered(append(append([]pass.Pass{}, Optimize...), Lower...))

// ordered refuses a table whose constraints do not hold, when the program starts.
func ordered(rows []pass.Pass) []pass.Pass {
	if err := pass.CheckOrder(rows, true); err != nil {
		panic("pipeline: " + err.Error())
	}
	return rows
}

// Known lists every pass once, for people.
var Known = []pass.Pass{
	lowerReturns, inlineFunctions, optDeref, lowerVarCopies, varsToSSA, copyProp, deadCode, deadVars,
	copyPropVars, deadWriteVars, splitVars, lowerIndirect, cse, constantFold,
	algebraic, algebraicBeforeFFMA, algebraicLate, removePhis, deadControlFlow, peepholeSelect, optDivConst, aluToScalar, phisToScalar,
	explicitIO, zeroShared, lowerAtomics, lowerSubgroups, lowerMemAccess, lowerInt64, lowerFrexp, lowerHalfRTZ, lowerHalfFlush, lowerPush,
	nonUniform, laneBuffers, systemValues, outOfSSA,
}
