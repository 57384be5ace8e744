package pass

import (
	"jacquard.example/core/match"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	"jacquard.example/generated/rules/opt"
)

// rules runs a set of rewrite rules.
func rules(set *match.Set) func(*Context) bool {
	return func(c *Context) bool {
		changed, err := c.match.Apply(c.S, c.F, set, &c.Options.Rules, c.Options.RuleStats)
		if err != nil {
			c.fail("%v", err)
		}
		return changed
	}
}

// All passes, by name: the rows that pipelines are made of.
var (
	lowerReturns    = Pass{Name: "lower_returns", Doc: "every function leaves at its end only", Run: LowerReturns}
	inlineFunctions = Pass{Name: "inline_functions", Doc: "calls become the bodies of what they call", Run: InlineFunctions}
	repairSSA       = Pass{Name: "repair_ssa", Doc: "values that moved code no longer dominates get phis", Run: RepairSSA}
	lowerVarCopies  = Pass{Name: "lower_var_copies", Doc: "copies of whole objects become loads and stores", Run: LowerVarCopies}
	varsToSSA       = Pass{Name: "vars_to_ssa", Doc: "private variables become SSA values", Run: VarsToSSA}
	optDeref        = Pass{Name: "opt_deref", Doc: "casts of pointers to what they are already go", Run: OptDeref}
	copyProp        = Pass{Name: "copy_prop", Doc: "readers of copies and put-together vectors read the originals", Run: CopyProp}
	deadCode        = Pass{Name: "dead_code", Doc: "instructions that nothing needs go", Run: DeadCode}
	copyPropVars    = Pass{Name: "copy_prop_vars", Doc: "loads of what was just loaded or stored go", Run: CopyPropVars}
	deadWriteVars   = Pass{Name: "dead_write_vars", Doc: "stores that nothing reads go", Run: DeadWriteVars}
	splitVars       = Pass{Name: "split_vars", Doc: "private structs and arrays become variables of their own for each part", Run: SplitVars}
	lowerIndirect   = Pass{Name: "lower_indirect_derefs", Doc: "small private arrays at unknown indices are chosen from all elements", Run: LowerIndirectDerefs}
	deadVars        = Pass{Name: "dead_vars", Doc: "private variables that nothing names go", Run: DeadVars}
	cse             = Pass{Name: "cse", Doc: "equal instructions are merged where one dominates the other", Run: CSE}
	constantFold    = Pass{Name: "constant_fold", Doc: "instructions on constants become constants", Run: ConstantFold}
	removePhis      = Pass{Name: "remove_phis", Doc: "phis that join one value go", Run: RemovePhis}
	deadControlFlow = Pass{Name: "dead_control_flow", Doc: "what control never comes to, and empty ifs, go", Run: DeadControlFlow}
	peepholeSelect  = Pass{Name: "peephole_select", Doc: "small ifs become selections", Run: PeepholeSelect}
	optDivConst     = Pass{Name: "opt_div_const", Doc: "divisions by constants become multiplications", Run: OptDivConst}
	aluToScalar     = Pass{Name: "alu_to_scalar", Doc: "arithmetic on vectors becomes arithmetic on their components", Run: ALUToScalar}
	phisToScalar    = Pass{Name: "phis_to_scalar", Doc: "phis of vectors become phis of scalars", Run: PhisToScalar}
	explicitIO      = Pass{Name: "explicit_io", Doc: "accesses through derefs become accesses at byte offsets", Run: ExplicitIO}
	lowerMemAccess  = Pass{Name: "lower_mem_access", Doc: "accesses get the sizes that messages have", Run: LowerMemAccess}
	lowerInt64      = Pass{Name: "lower_int64", Doc: "64-bit phis and divisions, and what else no rule lowers, become 32-bit ones", Run: LowerInt64}
	lowerFrexp      = Pass{Name: "lower_frexp", Doc: "floats are taken apart by their bits", Run: LowerFrexp}
	lowerHalfRTZ    = Pass{Name: "lower_half_rtz", Doc: "conversions to 16-bit floats towards zero are done on bits", Run: LowerHalfRTZ}
	lowerPush       = Pass{Name: "lower_push_constants", Doc: "push constants at unknown offsets are chosen from all", Run: LowerPushConstants}
	refuseFloat64   = Pass{Name: "refuse_float64", Doc: "64-bit floats are an error on targets without them", Run: RefuseFloat64}
	refuseImages    = Pass{Name: "refuse_images", Doc: "images are an error on targets whose back end has no messages for them", Run: RefuseImages}
	nonUniform      = Pass{Name: "lower_non_uniform", Doc: "accesses whose descriptor differs between invocations become loops", Run: LowerNonUniform}
	systemValues    = Pass{Name: "compute_system_values", Doc: "positions of an invocation are computed from what the machine gives", Run: ComputeSystemValues}
	lowerAtomics    = Pass{Name: "lower_float_atomics", Doc: "atomic additions of floats become loops around a compare and exchange", Run: LowerFloatAtomics}
	lowerSubgroups  = Pass{Name: "lower_subgroups", Doc: "operations across a subgroup are made of ballots and reading a lane", Run: LowerSubgroups}
	outOfSSA        = Pass{Name: "out_of_ssa", Doc: "phis become registers", Run: OutOfSSA}

	algebraic           = Pass{Name: "algebraic", Doc: "the main set of rewrite rules", Run: rules(&opt.Set)}
	algebraicBeforeFFMA = Pass{Name: "algebraic_before_ffma", Doc: "rewrite rules before multiplications and additions are fused", Run: rules(&beforeffma.Set)}
	algebraicLate       = Pass{Name: "algebraic_late", Doc: "rewrite rules that shape what the target selects from", Run: rules(&late.Set)}
)

// cleanup is repeated until nothing changes.
var cleanup = []Pass{copyProp, deadCode, constantFold, algebraic, removePhis, deadControlFlow, peepholeSelect, cse}

// Optimize brings a shader from the reader to scalar SSA with memory still
// behind derefs.
var Optimize = []Pass{
	lowerReturns, inlineFunctions, repairSSA, copyProp, optDeref, lowerVarCopies, deadVars, varsToSSA, deadVars,
	copyProp, deadCode,
	{Loop: []Pass{aluToScalar, phisToScalar, optDivConst, {Loop: cleanup}, varsToSSA, copyPropVars, deadWriteVars, splitVars, lowerIndirect}},
	deadVars,
}

// Lower brings an optimized shader to what instruction selection takes: memory
// by offsets, no phis.
var Lower = []Pass{
	refuseFloat64, refuseImages, nonUniform, explicitIO, lowerAtomics, lowerSubgroups, systemValues, lowerMemAccess, lowerFrexp, lowerHalfRTZ,
	{Loop: append([]Pass{aluToScalar, phisToScalar, optDivConst, lowerInt64}, cleanup...)},
	lowerPush,
	algebraicBeforeFFMA,
	{Loop: []Pass{algebraicLate, copyProp, deadCode, constantFold, cse}},
	outOfSSA, copyProp, deadCode,
}

// Compute is the whole way of a compute shader.
var Compute = append(append([]Pass{}, Optimize...), Lower...)

// Known lists every pass once, for people.
var Known = []Pass{
	lowerReturns, inlineFunctions, repairSSA, optDeref, lowerVarCopies, varsToSSA, copyProp, deadCode, deadVars,
	copyPropVars, deadWriteVars, splitVars, lowerIndirect, cse, constantFold,
	algebraic, algebraicBeforeFFMA, algebraicLate, removePhis, deadControlFlow, peepholeSelect, optDivConst, aluToScalar, phisToScalar,
	explicitIO, lowerAtomics, lowerSubgroups, lowerMemAccess, lowerInt64, lowerFrexp, lowerHalfRTZ, lowerPush, refuseFloat64,
	refuseImages, nonUniform, systemValues, outOfSSA,
}
