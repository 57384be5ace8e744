package spvops

import (
	"testing"

	"jacquard.example/generated/spirvtab"
)

// TestAcceptedIsCompiled: whatever instruction, extended instruction or
// capability the reader accepts stands in a shader of tests/shaders, all of
// which are compiled and run at every width.
func TestAcceptedIsCompiled(t *testing.T) {
	use := shadersUse(t)
	check := func(u Used, name string) {
		if use[u] == 0 && untested[name] == "" {
			t.Errorf("the reader accepts %s (%s), but no test shader contains it", name, u)
		}
		if use[u] != 0 && untested[name] != "" {
			t.Errorf("%s is listed as untested, but a test shader contains it", name)
		}
	}
	for i := range spirvtab.Ops {
		if row := &spirvtab.Ops[i]; row.Read {
			check(Used{Kind: Opcode, Number: uint32(row.Num)}, row.Name)
		}
	}
	for n := range uint32(128) {
		if row := spirvtab.LookupGLSL(n); row != nil && row.Read {
			check(Used{ExtInst, "GLSL.std.450", n}, row.Name)
		}
	}
}

// untested are instructions that no compiled shader of Vulkan can show, and
// why.
var untested = map[string]string{
	"OpKill":                "only fragment shaders have it: it may stand in a module, but no compute shader may come to it",
	"OpTerminateInvocation": "as OpKill",
}
