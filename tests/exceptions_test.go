package tests

import "path"

// exceptions lists the scripts that do not hold on an engine, and why. Such a
// script still runs: one that passes although it is listed fails the test, so
// that the list never grows stale. An engine may be a pattern, such as "eu*".
var exceptions = []struct{ script, engine, reason string }{
	{"op_smod", "lavapipe", "its OpSMod is the remainder of LLVM's srem, with the sign of the dividend"},
	{"subgroup_clustered", "lavapipe", "it does not offer clustered operations, and reduces over the whole subgroup"},
	{"subgroup_arithmetic", "eu*", "the selector has no rows for subgroup operations"},
	{"subgroup_scan", "eu*", "the selector has no rows for subgroup operations"},
	{"subgroup_ballot", "eu*", "the selector has no rows for subgroup operations"},
	{"subgroup_divergent", "eu*", "the selector has no rows for subgroup operations"},
	{"subgroup_clustered", "eu*", "the selector has no rows for subgroup operations"},
	{"subgroup_partial", "eu*", "the selector has no rows for subgroup operations"},
	{"subgroup_quad", "eu*", "the selector has no rows for subgroup operations"},
	{"subgroup_shuffle", "eu*", "the selector has no rows for subgroup operations"},
	{"subgroup_vote", "eu*", "the selector has no rows for subgroup operations"},
}

// exception returns the reason for which script does not hold on engine, or "".
func exception(script, engine string) string {
	for _, e := range exceptions {
		if match, _ := path.Match(e.engine, engine); match && e.script == script {
			return e.reason
		}
	}
	return ""
}
