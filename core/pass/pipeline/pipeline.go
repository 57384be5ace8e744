// SPDX-License-Identifier: MIT

package pipeline

import (
	"slices"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/accesses"
	"jacquard.example/core/pass/explicitio"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/lower"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/pass/vars"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	"jacquard.example/generated/rules/opt"
)

// The rows of all passes, from which pipelines are built.
var (
	lowerReturns = &pass.Pass{
		Name: "lower_returns", Required: true, Run: flow.LowerReturns,
		Doc:    "removes returns: control leaves a function only at its end",
		Leaves: "no return",
	}
	inlineFunctions = &pass.Pass{
		Name: "inline_functions", Required: true, Run: flow.InlineFunctions(simplifyFunction),
		Doc:    "inlines all calls; large functions that several calls copy are simplified first",
		Leaves: "only the entry point, without calls",
		After:  []string{"lower_returns"},
	}
	forwardCopies = &pass.Pass{
		Name: "forward_copies", Run: vars.ForwardCopies,
		Doc: "replaces private copies of whole objects with the originals",
	}
	forwardReadOnly = &pass.Pass{
		Name: "forward_read_only", Run: vars.ForwardReadOnly,
		Doc: "replaces a private variable with the memory that it copies part by part, if nothing writes that memory " +
			"before the last load from the variable",
	}
	lowerVarCopies = &pass.Pass{
		Name: "lower_var_copies", Required: true, Run: vars.LowerVarCopies,
		Doc:    "replaces copies of whole objects with loads and stores",
		Leaves: "no copy_deref",
	}
	varsToSSA = &pass.Pass{
		Name: "vars_to_ssa", Run: vars.VarsToSSA,
		Doc:    "promotes private variables to SSA values",
		Leaves: "no private variable whose accesses are all whole loads and stores at constant indices",
		After:  []string{"keep_quads"},
	}
	optDeref = &pass.Pass{
		Name: "opt_deref", Run: vars.OptDeref,
		Doc:    "removes redundant pointer casts",
		Leaves: "no cast of a deref to its own type and modes",
	}
	copyProp = &pass.Pass{
		Name: "copy_prop", Required: true, Run: values.CopyProp,
		Doc:    "replaces uses of copies and of vector components with the originals",
		Leaves: "no mov and no vector whose uses can all read the originals",
	}
	deadCode = &pass.Pass{
		Name: "dead_code", Required: true, Run: values.DeadCode,
		Doc:    "removes unused instructions",
		Leaves: "no side-effect-free instruction whose result is unused",
	}
	copyPropVars = &pass.Pass{
		Name: "copy_prop_vars", Run: vars.CopyPropVars,
		Doc: "forwards loaded and stored values to later loads",
	}
	deadWriteVars = &pass.Pass{
		Name: "dead_write_vars", Run: vars.DeadWriteVars,
		Doc: "removes stores whose values are never read",
	}
	splitVars = &pass.Pass{
		Name: "split_vars", Run: vars.SplitVars,
		Doc: "splits private structs and arrays into a variable for each part",
		Leaves: "no private variable that is only loaded and stored and has a level indexed only by constants, except " +
			"large arrays of structs of dwords",
	}
	lowerIndirect = &pass.Pass{
		Name: "lower_indirect_derefs", Run: vars.LowerIndirectDerefs,
		Doc: "turns dynamically indexed accesses to private arrays, if they are small after split_vars, into selects " +
			"among all elements",
	}
	constantData = &pass.Pass{
		Name: "constant_data", Run: vars.ConstantData,
		Doc: "moves constant private variables into immediates if they have few bits, else, narrowed where this pays off, into " +
			"the constant data of the program",
	}
	deadVars = &pass.Pass{
		Name: "dead_vars", Run: values.DeadVars,
		Doc:    "removes unreferenced private and workgroup variables",
		Leaves: "no unreferenced private or workgroup variable",
	}
	cse = &pass.Pass{
		Name: "cse", Run: values.CSE,
		Doc:    "merges equal instructions if one dominates the other",
		Leaves: "no two equal, mergeable instructions of which one dominates the other",
	}
	constantFold = &pass.Pass{
		Name: "constant_fold", Required: true, Run: values.ConstantFold,
		Doc:    "evaluates instructions on constants, and positions in a workgroup that are always zero",
		Leaves: "no arithmetic with only constant operands",
	}
	removePhis = &pass.Pass{
		Name: "remove_phis", Run: vars.RemovePhis,
		Doc:    "removes phis with a single value, and moves a computation that all sources of a phi share to after the join",
		Leaves: "no phi with a single value",
	}
	deadControlFlow = &pass.Pass{
		Name: "dead_control_flow", Run: flow.DeadControlFlow,
		Doc:    "removes unreachable code and empty ifs",
		Leaves: "no unreachable code and no if that is empty or has a constant condition",
	}
	oneTripLoops = &pass.Pass{
		Name: "one_trip_loops", Run: flow.OneTripLoops,
		Doc: "replaces loops that never repeat with the code of their bodies",
	}
	deadLoops = &pass.Pass{
		Name: "dead_loops", Run: flow.DeadLoops,
		Doc: "removes loops without effects whose values are unused, if their counters show that they end",
	}
	nestContinues = &pass.Pass{
		Name: "nest_continues", Run: flow.NestContinues,
		Doc: "moves the code that a continue skips into the other arm of its if",
	}
	mergeIfs = &pass.Pass{
		Name: "merge_ifs", Run: flow.MergeIfs,
		Doc: "merges ifs on one condition that follow one another, and an if with an if that is alone in its arm; " +
			"replaces the condition with a constant in the arms; lets an empty arm break if the next if breaks after it",
	}
	unrollLoops = &pass.Pass{
		Name: "unroll_loops", Run: flow.UnrollLoops,
		Doc: "unrolls loops with a known number of iterations, entirely or into loops with several copies of the body, " +
			"up to a larger size if this makes the indices of a private array constant or the source requests it; " +
			"peels the first iterations of loops whose counter indexes an array in a uniform buffer of a vertex or " +
			"fragment shader",
	}
	hoistInvariants = &pass.Pass{
		Name: "hoist_invariants", Run: flow.HoistInvariants,
		Doc: "moves loop-invariant computations before the loop, once algebraic_late has combined the operations that " +
			"must stay together",
		After: []string{"explicit_io"},
	}
	peepholeSelect = &pass.Pass{
		Name: "peephole_select", Run: flow.PeepholeSelect,
		Doc: "turns small ifs into selects",
	}
	optDivConst = &pass.Pass{
		Name: "opt_div_const", Run: values.OptDivConst,
		Doc:    "turns divisions by constants into multiplications",
		Leaves: "no division or remainder by a constant, unless rules rewrite it",
	}
	undefToZero = &pass.Pass{
		Name: "undef_to_zero", Run: values.UndefToZero,
		Doc: "replaces undefined arithmetic operands with zero",
		Leaves: "no arithmetic except mov and vec that reads an undefined value, once constant_fold has replaced selects " +
			"between equal operands",
	}
	aluToScalar = &pass.Pass{
		Name: "alu_to_scalar", Required: true, Run: values.ALUToScalar,
		Doc:    "splits vector arithmetic into scalar arithmetic",
		Leaves: "no vector arithmetic except mov and vec",
	}
	phisToScalar = &pass.Pass{
		Name: "phis_to_scalar", Required: true, Run: vars.PhisToScalar,
		Doc:    "splits vector phis into scalar phis",
		Leaves: "no vector phi",
	}
	sharedAtomics = &pass.Pass{
		Name: "lower_shared_atomics", Required: true, Run: memory.LowerSharedAtomics,
		Doc:    "lowers 64-bit atomics on workgroup memory to accesses under a lock",
		Leaves: "no 64-bit atomic on workgroup memory",
	}
	explicitIO = &pass.Pass{
		Name: "explicit_io", Required: true, Run: explicitio.ExplicitIO,
		Doc:    "lowers accesses through derefs to accesses at byte offsets",
		Leaves: "no access through a deref; the binding table in Info.Bindings",
		After:  []string{"inline_functions", "lower_var_copies", "lower_non_uniform", "lower_shared_atomics"},
	}
	zeroShared = &pass.Pass{
		Name: "zero_shared", Required: true, Run: memory.ZeroShared,
		Doc:    "zeroes workgroup memory that is zero-initialized",
		Leaves: "no implicitly zero-initialized workgroup memory",
		After:  []string{"explicit_io"},
	}
	lowerMemAccess = &pass.Pass{
		Name: "lower_mem_access", Required: true, Run: accesses.LowerMemAccess,
		Doc:    "splits accesses to the sizes of messages",
		Leaves: "only accesses to a byte, a word, or up to four dwords",
		After:  []string{"explicit_io"},
	}
	forwardAccesses = &pass.Pass{
		Name: "forward_accesses", Run: accesses.ForwardAccesses,
		Doc: "replaces loads of values known from earlier accesses, and removes stores of values that memory already " +
			"contains",
		After: []string{"explicit_io", "lower_mem_access"},
	}
	deadStores = &pass.Pass{
		Name: "dead_stores", Run: accesses.DeadStores,
		Doc: "removes stores that a later store of the block overwrites before any read, and stores to workgroup memory " +
			"that is never read",
		After: []string{"explicit_io", "lower_mem_access"},
	}
	gatherLoads = &pass.Pass{
		Name: "gather_loads", Run: accesses.GatherLoads,
		Doc: "moves loads of uniform buffers at constant offsets up to loads of the same row that dominate them, so that one " +
			"message reads both",
		After: []string{"explicit_io"},
	}
	mergeAccesses = &pass.Pass{
		Name: "merge_accesses", Run: accesses.MergeAccesses,
		Doc: "merges loads, and stores, of neighboring bytes, words and dwords; accesses at 64-bit addresses right after " +
			"lower_mem_access",
		Leaves: "no vector of more than four dwords, or sixteen at uniform offsets",
		After:  []string{"explicit_io", "lower_mem_access"},
	}
	lowerInt64 = &pass.Pass{
		Name: "lower_int64", Required: true, Run: lower.LowerInt64,
		Doc:    "lowers scalar 64-bit phis, divisions and other operations without a rule to 32 bits",
		Leaves: "once the rules of lower_int64 have run too, no 64-bit integers except packed and unpacked pairs",
	}
	lowerDivision = &pass.Pass{
		Name: "lower_division", Required: true, Run: lower.LowerDivision,
		Doc:    "divides 32-bit integers by float reciprocals on targets that cannot divide integers",
		Leaves: "no 32-bit quotient and no remainder with the sign of the dividend, of scalars, if the target has lower_division",
		After:  []string{"lower_int64"},
	}
	lowerFrexp = &pass.Pass{
		Name: "lower_frexp", Required: true, Run: lower.LowerFrexp,
		Doc:    "lowers frexp of scalars to bit operations",
		Leaves: "no frexp_sig and no frexp_exp of up to 32 bits",
	}
	lowerHalfRTZ = &pass.Pass{
		Name: "lower_half_rtz", Required: true, Run: lower.LowerHalfRTZ,
		Doc:    "lowers conversions of scalars to 16-bit floats that round toward zero to integer operations",
		Leaves: "no conversion to 16-bit floats with explicit rounding toward zero",
	}
	lowerHalfFlush = &pass.Pass{
		Name: "lower_half_flush", Required: true, Run: lower.LowerHalfFlush,
		Doc:   "flushes denormals in conversions to 16-bit floats if the shader requires it",
		After: []string{"lower_half_rtz"},
	}
	lowerPush = &pass.Pass{
		Name: "lower_push_constants", Required: true, Run: memory.LowerPushConstants,
		Doc:    "turns loads of push constants at dynamic offsets into selects among all of them",
		Leaves: "no load of push constants at a dynamic offset",
		After:  []string{"explicit_io"},
	}
	uniformDescriptors = &pass.Pass{
		Name: "uniform_descriptors", Run: memory.UniformDescriptors,
		Doc:    "forgets that the descriptor of an access may differ between invocations if it does not",
		Leaves: "no access marked NonUniform whose descriptor is uniform",
		After:  []string{"inline_functions"},
	}
	nonUniform = &pass.Pass{
		Name: "lower_non_uniform", Required: true, Run: memory.LowerNonUniform,
		Doc:    "puts loops around accesses with divergent descriptors, and around interpolation at divergent samples",
		Leaves: "no access marked non-uniform whose descriptor is divergent, and no coordinates at a divergent sample",
		After:  []string{"lower_stage_io"},
	}
	laneBuffers = &pass.Pass{
		Name: "lower_divergent_buffers", Required: true, Run: memory.LowerDivergentBuffers,
		Doc:    "puts loops around accesses to divergent buffers",
		Leaves: "no access to a buffer that is divergent within a subgroup",
		After:  []string{"explicit_io"},
	}
	systemValues = &pass.Pass{
		Name: "compute_system_values", Required: true, Run: lower.ComputeSystemValues,
		Doc:    "computes invocation IDs from the values that the machine provides",
		Leaves: "no invocation IDs except the IDs of workgroup, subgroup and lane; no device index",
		After:  []string{"zero_shared", "lower_subgroups"},
	}
	lowerAtomics = &pass.Pass{
		Name: "lower_atomics", Required: true, Run: memory.LowerAtomics,
		Doc:    "lowers atomics without a message to compare-and-exchange loops",
		Leaves: "no atomic without a message on the target",
		After:  []string{"explicit_io"},
	}
	lowerTextures = &pass.Pass{
		Name: "lower_textures", Required: true, Run: lower.LowerTextures,
		Doc: "replaces texture operations and queries of sizes with operations that samplers support",
		Leaves: "no derivatives on cubes or with a minimum level of detail, no fetch with an offset, no size of a level " +
			"except the first",
	}
	derivatives = &pass.Pass{
		Name: "lower_derivatives", Required: true, Run: lower.LowerDerivatives,
		Doc:    "lowers derivatives to differences within quads",
		Leaves: "no derivative",
		After:  []string{"lower_textures"},
	}
	imageFormats = &pass.Pass{
		Name: "lower_image_formats", Required: true, Run: memory.LowerImageFormats,
		Doc:    "converts texels whose raw bits the target reads",
		Leaves: "no load of a texel of a format that the target's reads do not convert",
		After:  []string{"explicit_io"},
	}
	simplifyGroups = &pass.Pass{
		Name: "simplify_subgroups", Run: lower.SimplifySubgroups,
		Doc: "replaces subgroup operations on uniform values with the values",
	}
	lowerSubgroups = &pass.Pass{
		Name: "lower_subgroups", Required: true, Run: lower.LowerSubgroups,
		Doc:    "lowers operations of subgroups of at most 32 invocations to ballots and lane reads",
		Leaves: "only the subgroup operations that instruction selection accepts",
		After:  []string{"lower_derivatives"},
	}
	vectorize = &pass.Pass{
		Name: "vectorize", Run: values.Vectorize,
		Doc:   "combines scalar operations into vector operations, on machines that have these",
		After: []string{"alu_to_scalar"},
	}
	countTrips = &pass.Pass{
		Name: "count_trips", Required: true, Run: flow.CountTrips,
		Doc:    "records the trip counts of loops in their final form, for the estimate of cycles",
		Leaves: "the trip counts of all loops whose exits determine them",
	}
	outOfSSA = &pass.Pass{
		Name: "out_of_ssa", Required: true, Run: vars.OutOfSSA,
		Doc:    "replaces phis with registers",
		Leaves: "no phi",
		After:  []string{"vars_to_ssa", "zero_shared", "lower_atomics", "lower_int64", "phis_to_scalar"},
	}

	algebraic = &pass.Pass{
		Name: "algebraic", Required: true, Run: pass.Rules(&opt.Set),
		Doc:    "applies the main set of rewrite rules",
		Leaves: "no match of a rule of the set",
	}
	algebraicBeforeFFMA = &pass.Pass{
		Name: "algebraic_before_ffma", Run: pass.Rules(&beforeffma.Set),
		Doc:    "applies rewrite rules before multiplications and additions are fused",
		Leaves: "no match of a rule of the set",
	}
	algebraicLate = &pass.Pass{
		Name: "algebraic_late", Required: true, Run: pass.Rules(&late.Set),
		Doc:    "applies rewrite rules that prepare instruction selection",
		Leaves: "no match of a rule of the set",
		After:  []string{"algebraic_before_ffma"},
	}
)

// mergeAddresses is merge_accesses for 64-bit addresses only. It precedes the rules that lower 64-bit additions to
// pairs with a carry, which hide the constant distances between addresses.
var mergeAddresses = instead(mergeAccesses, accesses.MergeAddresses)

// atAddresses returns p restricted to shaders that access memory at 64-bit addresses.
func atAddresses(p *pass.Pass) *pass.Pass {
	return instead(p, func(c *pass.Context) bool { return accesses.AtAddresses(c) && p.Run(c) })
}

// instead returns a copy of p that runs another function.
func instead(p *pass.Pass, run func(*pass.Context) bool) *pass.Pass {
	other := *p
	other.Run = run
	return &other
}

// cleanup is run in loops, alone or with other passes.
var cleanup = []pass.Step{
	copyProp, deadCode, constantFold, algebraic, removePhis, deadControlFlow, oneTripLoops, nestContinues, mergeIfs,
	peepholeSelect, cse,
}

// simplifyFunction simplifies a function, of n instructions, before calls of it are inlined. What a constant decides, such
// as a switch on a specialization constant, is decided before it is copied.
func simplifyFunction(c *pass.Context, n int) { c.Nested(beforeCopies, n) }

var beforeCopies = pass.Loop{copyProp, optDeref, varsToSSA, pass.Loop{copyProp, deadCode, constantFold, removePhis, deadControlFlow}}

// Optimize takes a shader from the reader to scalar SSA with memory still accessed
// through derefs.
var Optimize = pass.Pipeline{
	lowerReturns, inlineFunctions, outputTemps, copyProp, optDeref, forwardCopies, lowerVarCopies, keepQuads, varsToSSA,
	copyProp, deadCode, deadVars, discardToDemote,
	pass.Loop{
		aluToScalar, phisToScalar, undefToZero, optDivConst, pass.Loop(cleanup),
		deadLoops, unrollLoops, varsToSSA, copyPropVars, deadWriteVars, forwardReadOnly, splitVars, lowerIndirect,
	},
	constantData, deadVars,
}

// Lower takes an optimized shader to the input of instruction selection: memory
// accessed by offsets, no phis.
var Lower = pass.Pipeline{
	lowerStageIO, builtinInputs, splitSlots, uniformDescriptors, lowerTextures, derivatives, nonUniform, sharedAtomics, explicitIO, zeroShared,
	lowerAtomics, imageFormats, simplifyGroups, lowerSubgroups, systemValues, lowerMemAccess,
	atAddresses(copyProp), atAddresses(cse), atAddresses(forwardAccesses), atAddresses(deadStores), atAddresses(mergeAddresses),
	lowerFrexp, lowerHalfRTZ, lowerHalfFlush,
	pass.Loop{
		pass.Loop(append([]pass.Step{aluToScalar, phisToScalar, optDivConst, lowerInt64}, cleanup...)),
		forwardAccesses, deadStores, deadLoops, lowerDivision,
	},
	gatherLoads, mergeAccesses, laneBuffers, lowerPush,
	algebraicBeforeFFMA,
	pass.Loop{algebraicLate, copyProp, deadCode, constantFold, cse},
	hoistInvariants, vectorize, countTrips,
	outOfSSA, copyProp, deadCode,
}

// Compute is the complete pipeline; for vertex and fragment shaders, ForTarget adds one pass.
var Compute = ordered(slices.Concat(Optimize, Lower))

// ordered returns p. It panics, at program start, if the order of the passes violates their constraints.
func ordered(p pass.Pipeline) pass.Pipeline {
	if err := pass.CheckOrder(p, true); err != nil {
		panic("pipeline: " + err.Error())
	}
	return p
}

// Known lists every pass once, for documentation.
var Known = pass.Pipeline{
	outputTemps, keepQuads, discardToDemote, lowerStageIO, builtinInputs, splitSlots, compactSlots,
	lowerReturns, inlineFunctions, optDeref, forwardCopies, lowerVarCopies, varsToSSA, copyProp, deadCode, deadVars,
	copyPropVars, deadWriteVars, forwardReadOnly, splitVars, lowerIndirect, constantData, cse, constantFold,
	algebraic, algebraicBeforeFFMA, algebraicLate, removePhis, deadControlFlow, oneTripLoops, deadLoops, nestContinues, mergeIfs,
	unrollLoops, hoistInvariants, peepholeSelect, optDivConst, undefToZero, aluToScalar, phisToScalar,
	lowerTextures, derivatives, sharedAtomics, explicitIO, zeroShared, lowerAtomics, imageFormats, simplifyGroups,
	lowerSubgroups, lowerMemAccess, forwardAccesses, deadStores, gatherLoads, mergeAccesses, lowerInt64, lowerDivision,
	lowerFrexp, lowerHalfRTZ,
	lowerHalfFlush, lowerPush,
	uniformDescriptors, nonUniform, laneBuffers, systemValues, vectorize, countTrips, outOfSSA,
}
