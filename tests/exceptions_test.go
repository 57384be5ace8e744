package tests

// exceptions lists the scripts that do not hold on an engine, and why. Such a
// script still runs: one that passes although it is listed fails the test, so
// that the list never grows stale.
var exceptions = []struct{ script, engine, reason string }{
	{"op_smod", "lavapipe", "its OpSMod is the remainder of LLVM's srem, with the sign of the dividend"},
	{"subgroup_clustered", "lavapipe", "it does not offer clustered operations, and reduces over the whole subgroup"},
	{"subgroup_arithmetic", "interp", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_scan", "interp", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_ballot", "interp", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_divergent", "interp", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_clustered", "interp", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_partial", "interp", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_arithmetic", "lowered", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_scan", "lowered", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_ballot", "lowered", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_divergent", "lowered", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_clustered", "lowered", "the interpreter has no reductions, scans and ballot tests"},
	{"subgroup_partial", "lowered", "the interpreter has no reductions, scans and ballot tests"},
}

// exception returns the reason for which script does not hold on engine, or "".
func exception(script, engine string) string {
	for _, e := range exceptions {
		if e.script == script && e.engine == engine {
			return e.reason
		}
	}
	return ""
}
