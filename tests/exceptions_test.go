package tests

// exceptions lists the scripts that do not hold on an engine, and why. Such a
// script still runs: one that passes although it is listed fails the test, so
// that the list never grows stale.
var exceptions = []struct{ script, engine, reason string }{
	{"op_smod", "lavapipe", "its OpSMod is the remainder of LLVM's srem, with the sign of the dividend"},
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
