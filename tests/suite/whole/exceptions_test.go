// SPDX-License-Identifier: MIT

package whole

import "path"

// exceptions lists the scripts that fail on an engine, and why. They still run: a
// listed script that passes fails the test, so that the list stays correct.
var exceptions = []struct{ script, engine, reason string }{
	{"derivatives_linear", "lavapipe", "it does not offer derivative groups"},
	{"derivatives_quads", "lavapipe", "it does not offer derivative groups"},
	{"descriptor_lengths", "lavapipe", "it takes the length for all lanes from the buffer of the first"},
	{"float_controls2", "lavapipe", newer + ", except where the script says"},
	{"float_controls2_flags", "lavapipe", newer},
	{"lanes_descriptors", "lavapipe", lastTrip},
	{"lanes_leave", "lavapipe", lastTrip},
	{"maximal_reconvergence", "lavapipe", newer},
	{"op_denorm_flush", "lavapipe", "it does not offer the mode, and keeps 16-bit denormals"},
	{"op_integer_dot_wide", "lavapipe", "its saturating sum of signed 64-bit integers is the largest one where the sum is negative"},
	{"op_ldexp_exponents", "lavapipe", "it makes no pipeline of Ldexp with exponents that do not have 32 bits"},
	{"op_round_to_zero", "lavapipe", "it does not offer the rounding mode, and rounds to nearest even"},
	{"op_smod", "lavapipe", "its OpSMod is the remainder of LLVM's srem, with the sign of the dividend"},
	{"subgroup_clustered", "lavapipe", "it does not offer clustered operations, and reduces over the whole subgroup"},
	{"subgroup_uniform", "lavapipe", "it does not offer clustered operations, and takes NaN for equal to itself in subgroupAllEqual"},
	{"subgroup_quad_votes", "lavapipe", newer},
	{"subgroup_rotate", "lavapipe", "it does not offer rotation, nor hints"},
	{"workgroup_layout", "lavapipe", "it does not offer blocks in workgroup memory, and places them apart"},
	{"float64_arith", "eu*", noFloat64},
	{"float64_convert", "eu*", noFloat64},
	{"float64_arith", "fused*", noFloat64},
	{"float64_convert", "fused*", noFloat64},
	{"float64_arith", "robust*", noFloat64},
	{"float64_convert", "robust*", noFloat64},
	{"float64_arith", "placed*", noFloat64},
	{"float64_convert", "placed*", noFloat64},
	{"float64_arith", "zebin*", noFloat64},
	{"float64_convert", "zebin*", noFloat64},
	{"untyped_pointers", "lavapipe", newer},
	{"untyped_pointers_variable", "lavapipe", newer},
	{"untyped_pointers_views", "lavapipe", newer},
	{"untyped_pointers_physical", "lavapipe", "Debian 12's lavapipe does not offer the extension"},
	{"zero_shared", "robust8-skl", "a workgroup of it takes 63 threads; a workgroup has 56"},
	{"zero_shared", "zebin8-skl", "a workgroup of it takes 63 threads; a workgroup has 56"},
	{"zero_shared", "eu8-icl", "a workgroup of it takes 63 threads; a workgroup has 56"},
	{"zero_shared", "eu8-skl", "a workgroup of it takes 63 threads; a workgroup has 56"},
}

const newer = "Debian 12's lavapipe does not offer the extension; Mesa 26.2's agrees"

const lastTrip = "lavapipe's values after a loop are from the last iteration, even for lanes that left it earlier"

const noFloat64 = "Gen11 and Gen12.1 have no 64-bit floats"

// crashes are scripts that crash or hang lavapipe; they are not run on it.
var crashes = map[string]string{
	"op_integer_functions2": "it does not offer the extension, and dies of its instructions",

	"float16_range": "LLVM dies of 16-bit exponentials and logarithms",

	"subgroups_poll": "subgroups switch only at barriers, so it runs forever",
}

// exception returns the reason why script fails on engine, or "".
func exception(script, engine string) string {
	for _, e := range exceptions {
		if match, _ := path.Match(e.engine, engine); match && e.script == script {
			return e.reason
		}
	}
	return ""
}
